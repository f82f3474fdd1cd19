import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { Refused } from '../../client/client.ts';
import type { Callers } from '../callers.ts';
import { formOf } from '../request.ts';
import { languageOf, textsOf } from '../texts/languages.ts';
import { signInPage, trialPage } from './page.tsx';

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
