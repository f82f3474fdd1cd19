import { html } from 'hono/html';
import { Field } from '../components/field.tsx';

const A = '/console/assets';

/** The only page of a hosted sandbox that needs no session. `to`: the page to show afterwards. */
export const signInPage = ({ to, problem }: { to: string; problem?: string | undefined }) =>
  html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Sign in – robot-vasp</title>
        <link rel="icon" href={`${A}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${A}/pico.min.css`} />
        <link rel="stylesheet" href={`${A}/console.css`} />
        <link rel="stylesheet" href={`${A}/navigation.css`} />
      </head>
      <body>
        <header class="top">
          <div class="bar">
            <span class="brand">
              <img src={`${A}/icon.svg`} alt="" width="22" height="22" />
              robot-vasp
            </span>
            <nav aria-label="Pages">
              <ul>
                <li>
                  <a href="/guide">Guide</a>
                </li>
                <li>
                  <a href="/docs">API</a>
                </li>
              </ul>
            </nav>
          </div>
        </header>
        <main id="main">
          <h1>Sign in</h1>
          {problem ? (
            <article class="notice failed" role="alert">
              <p>{problem}</p>
            </article>
          ) : null}
          <p>
            Sign in with an API key of your VASP. It begins with <code>rv_</code> and was shown once, at your
            registration.
          </p>
          <form method="post" action="/console/sign-in" class="action">
            <input type="hidden" name="to" value={to} />
            <Field name="apiKey" label="API key" type="password" placeholder="rv_…" required />
            <button type="submit" class="primary">
              Sign in
            </button>
          </form>
          <p class="muted">
            No key yet? <a href="/guide/hosting">Ask the operator for an invitation</a>.
          </p>
        </main>
      </body>
    </html>
  )}`;
