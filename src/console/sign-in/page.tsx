import { html } from 'hono/html';
import { Field } from '../components/field.tsx';
import { ASSETS, Head } from '../components/head.tsx';
import { LanguageSwitch } from '../components/language-switch.tsx';
import { Prose } from '../components/prose.tsx';
import { type Language, PageLanguage, textsOf } from '../texts/languages.ts';

interface SignIn {
  to: string;
  problem?: string | undefined;
  language: Language;
}

/** The only page of a hosted sandbox that needs no session. `to`: the page to show afterwards. */
export const signInPage = ({ to, problem, language }: SignIn) => {
  const { signIn, frame, pages } = textsOf(language);
  return html`<!doctype html>${(
    <html lang={language}>
      <Head title={signIn.title}>
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
          <main id="main">
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
            <p class="muted">
              <Prose of={signIn.noKey} />
            </p>
          </main>
        </PageLanguage.Provider>
      </body>
    </html>
  )}`;
};
