import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Answers } from '../../client/answers.ts';
import { Field } from '../components/form.tsx';
import { ASSETS, Head } from '../components/head.tsx';
import { Copyable, DefinitionList, Prose } from '../components/text.tsx';
import { Time } from '../components/values.tsx';
import { LanguageSwitch } from '../layout.tsx';
import { type Language, PageLanguage, textsOf } from '../texts/languages.ts';

interface SignIn {
  to: string;
  problem?: string | undefined;
  language: Language;
  hasTrials: boolean;
}

interface Frame {
  title: string;
  to: string;
  language: Language;
  children: Child;
}

/** The frame of the pages of a hosted sandbox that need no session. */
const framed = ({ title, to, language, children }: Frame) => {
  const { frame, pages } = textsOf(language);
  return html`<!doctype html>${(
    <html lang={language}>
      <Head title={title}>
        <link rel="stylesheet" href={`${ASSETS}/pico.min.css`} />
        <link rel="stylesheet" href={`${ASSETS}/console.css`} />
        <link rel="stylesheet" href={`${ASSETS}/navigation.css`} />
      </Head>
      <body>
        <PageLanguage.Provider value={language}>
          <header class="top">
            <div class="bar">
              <span class="brand">
                <img src={`${ASSETS}/icon.svg`} alt="" width="22" height="22" />
                robot-vasp
              </span>
              <nav aria-label={frame.pages}>
                <ul>
                  <li>
                    <a href="/guide">{pages.Guide}</a>
                  </li>
                  <li>
                    <a href="/docs">{pages.API}</a>
                  </li>
                </ul>
              </nav>
              <LanguageSwitch here={`/console/sign-in?to=${encodeURIComponent(to)}`} />
            </div>
          </header>
          <main id="main">{children}</main>
        </PageLanguage.Provider>
      </body>
    </html>
  )}`;
};

/** `to`: the page to show afterwards. */
export const signInPage = ({ to, problem, language, hasTrials }: SignIn) => {
  const { signIn } = textsOf(language);
  const children = (
    <>
      <h1>{signIn.title}</h1>
      {problem ? (
        <article class="notice failed" role="alert">
          <p>{problem}</p>
        </article>
      ) : null}
      <p>
        <Prose of={signIn.intro} />
      </p>
      <form method="post" action="/console/sign-in" class="action">
        <input type="hidden" name="to" value={to} />
        <Field name="apiKey" label={signIn.key} type="password" placeholder="rv_…" required />
        <button type="submit" class="primary">
          {signIn.title}
        </button>
      </form>
      {hasTrials ? (
        <section>
          <h2>{signIn.trial}</h2>
          <p>
            <Prose of={signIn.trialIntro} />
          </p>
          <form method="post" action="/console/trial" class="action">
            <Field name="name" label={signIn.nameOfVasp} placeholder={signIn.trialName} />
            <button type="submit" class="secondary">
              {signIn.startTrial}
            </button>
          </form>
        </section>
      ) : null}
      <p class="muted">
        <Prose of={signIn.noKey} />
      </p>
    </>
  );
  return framed({ title: signIn.title, to, language, children });
};

/** Shows the secrets of a new trial once. */
export const trialPage = ({ trial, language }: { trial: Answers['register']; language: Language }) => {
  const { signIn } = textsOf(language);
  const children = (
    <>
      <h1>{signIn.trialStarted}</h1>
      <p>
        <Prose of={signIn.trialKeep} />
      </p>
      <DefinitionList
        of={[
          ['vaspId', <Copyable text={trial.vaspId} />],
          [signIn.key, <Copyable text={trial.apiKey} />],
          [signIn.secret, <Copyable text={trial.signingSecret} />],
          [signIn.trialEnds, <Time at={trial.trialEndsAt!} />],
        ]}
      />
      <p>
        <a href="/console">{signIn.openConsole}</a>
      </p>
    </>
  );
  return framed({ title: signIn.trialStarted, to: '/console', language, children });
};
