import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Child } from 'hono/jsx';
import { type Answers, Refused } from '../client/client.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Callers } from './callers.ts';
import { ActionForm, Field } from './components/form.tsx';
import { Copyable, DefinitionList, Paragraph } from './components/text.tsx';
import { Time } from './components/values.tsx';
import { CHANGED } from './events.ts';
import { layout } from './layout.tsx';
import type { Page } from './page.ts';
import { formOf, hereOf } from './request.ts';
import { type Language, languageOf, textsOf } from './texts/languages.ts';

/** Signing in and out. `showKeys`: the local mode signs in on the page of the keys. It gets the problem to show. */
export function signInRoutes(callers: Callers, showKeys: (c: Context, problem: string) => Promise<Response>): Hono {
  const app = new Hono();
  const home = callers.isHosted ? '/console/sign-in' : '/console/keys';
  const askKey = (c: Context, to: string, problem?: string) =>
    c.html(
      signInPage({ to: insideConsole(to), problem, language: languageOf(c), hasTrials: !!callers.startTrial }),
      problem ? 401 : 200,
    );

  app.get('/sign-in', c => (callers.isHosted ? askKey(c, c.req.query('to') ?? '') : c.redirect(home, 303)));
  app.post('/sign-in', async c => {
    const { apiKey = '', to = '' } = await formOf(c);
    if (!IS_ADDRESS.test(to)) throw new HTTPException(400, { message: textsOf(languageOf(c)).signIn.noAddress });
    const key = apiKey.trim();
    const isKnown = FITS_A_HEADER.test(key) && (await callers.signIn(c, key));
    const texts = textsOf(languageOf(c));
    if (callers.isHosted) return isKnown ? c.redirect(insideConsole(to), 303) : askKey(c, to, texts.signIn.refused);
    return isKnown ? c.redirect(home, 303) : showKeys(c, texts.keys.unknown);
  });
  app.post('/trial', async (c, next) => {
    if (!callers.startTrial) return next();
    const language = languageOf(c);
    try {
      const { name = '' } = await formOf(c);
      const trial = await callers.startTrial(c, name.trim() || textsOf(language).signIn.trialName);
      return c.html(trialPage({ trial, language }), 201);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const page = signInPage({ to: '/console', problem: error.reason, language, hasTrials: true });
      return c.html(page, error.status as 400);
    }
  });
  app.post('/sign-out', c => {
    callers.signOut(c);
    return c.redirect(home, 303);
  });
  return app;
}

/** A key goes with each request. Nobody has a key with another character. */
const FITS_A_HEADER = /^[ -~\x80-\xff]*$/;

/** As a header can carry it. */
const IS_ADDRESS = /^[!-~]*$/;

/** The page to show after the sign-in. A link from elsewhere leads nowhere else. */
const insideConsole = (to: string): string => (/^\/console(?:\/|$)/.test(to) ? to : '/console');

const OPEN_WITHOUT_SESSION = /^\/console\/(?:sign-in|trial|assets\/.*)$/;

export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** Hosted mode: without a session every page leads to the sign-in page. */
export const sessionRequired =
  (callers: Callers): MiddlewareHandler =>
  async (c, next) => {
    if (OPEN_WITHOUT_SESSION.test(c.req.path) || callers.signedIn(c)) return next();
    return c.req.method === 'GET' ? toSignIn(c, hereOf(c)) : c.redirect('/console/sign-in', 303);
  };

/**
 * A live update would follow a redirect and find nothing to show. It leaves its page instead. An event stream cannot
 * leave: it makes the page read itself.
 */
export function toSignIn(c: Context, here: string): Response {
  const address = `/console/sign-in?to=${encodeURIComponent(here)}`;
  if (c.req.path === '/console/events') return c.body(CHANGED, 200, EVENT_STREAM);
  if (c.req.header('hx-request') !== 'true') return c.redirect(address, 303);
  return c.body(null, 204, { 'hx-redirect': address });
}

const PAGE: Page = { path: '/sign-in', title: 'Keys', isLive: false, render: async () => null };

/** The pages of a hosted sandbox that need no session. */
const framed = (language: Language, to: string, title: string, body: Child) =>
  layout({
    language,
    page: PAGE,
    pages: [],
    title,
    here: `/console/sign-in?to=${encodeURIComponent(to)}`,
    vaspName: '',
    now: systemClock.now(),
    body,
  });

interface SignIn {
  /** The page to show afterwards. */
  to: string;
  problem?: string | undefined;
  language: Language;
  hasTrials: boolean;
}

const signInPage = ({ to, problem, language, hasTrials }: SignIn) => {
  const { signIn } = textsOf(language);
  return framed(
    language,
    to,
    signIn.title,
    <>
      {problem ? (
        <article class="notice failed" role="alert">
          <p>{problem}</p>
        </article>
      ) : null}
      <Paragraph of={signIn.intro} />
      <ActionForm to="/console/sign-in" label={signIn.title} values={{ to }} tone="primary">
        <Field name="apiKey" label={signIn.key} type="password" placeholder="rv_…" required />
      </ActionForm>
      {hasTrials ? (
        <section>
          <h2>{signIn.trial}</h2>
          <Paragraph of={signIn.trialIntro} />
          <ActionForm to="/console/trial" label={signIn.startTrial}>
            <Field name="name" label={signIn.nameOfVasp} placeholder={signIn.trialName} />
          </ActionForm>
        </section>
      ) : null}
      <Paragraph class="muted" of={signIn.noKey} />
    </>,
  );
};

/** Shows the secrets of a new trial once. */
const trialPage = ({ trial, language }: { trial: Answers['register']; language: Language }) => {
  const { signIn } = textsOf(language);
  return framed(
    language,
    '/console',
    signIn.trialStarted,
    <>
      <Paragraph of={signIn.trialKeep} />
      <DefinitionList
        of={[
          ['vaspId', <Copyable text={trial.vaspId} />],
          [signIn.key, <Copyable text={trial.apiKey} />],
          [signIn.secret, <Copyable text={trial.signingSecret} />],
          [signIn.trialEnds, <Time at={trial.trialEndsAt!} clock="machine" />],
        ]}
      />
      <p>
        <a href="/console">{signIn.openConsole}</a>
      </p>
    </>,
  );
};
