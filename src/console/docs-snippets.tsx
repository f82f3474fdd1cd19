import { Prose } from './components/prose.tsx';
import { Snippets } from './components/snippets.tsx';
import { type ApiDocument, requestsIn } from './docs-requests.ts';
import { layout } from './layout.tsx';
import { PAGES } from './pages.ts';
import { type Language, textsOf } from './texts/languages.ts';

/** The example requests of one operation in every language. Undefined: there is no such operation. */
export function snippetsPage(document: ApiDocument, origin: string, operationId: string, language: Language) {
  const own = requestsIn(document).filter(each => each.operationId === operationId);
  if (own.length === 0) return undefined;
  const here = `/docs/snippets/${operationId}`;
  return layout({
    language,
    title: operationId,
    page: { path: here, title: 'API', isLive: false, render: async () => null },
    pages: PAGES,
    here,
    vaspName: '',
    now: 0,
    body: (
      <>
        <p>
          <Prose of={textsOf(language).docs.snippets} />
        </p>
        {own.map(({ name, method, pathAndQuery, body }, index) => (
          <section>
            <h2>{name}</h2>
            <p>
              <code>
                {method} {origin + pathAndQuery}
              </code>
            </p>
            <Snippets id={`request-${index}`} method={method} url={origin + pathAndQuery} body={body} />
          </section>
        ))}
      </>
    ),
  });
}
