import { Prose } from './components/prose.tsx';
import { Snippets } from './components/snippets.tsx';
import { layout } from './layout.tsx';
import { PAGES } from './pages.ts';
import { type Language, textsOf } from './texts/languages.ts';

/** The members of `/sandbox/v1/collection` that this page reads. */
export interface HarEntry {
  comment: string;
  request: { comment: string; method: string; url: string; postData?: { text: string } };
}

/** The example requests of one operation in every language. Undefined: there is no such operation. */
export function snippetsPage(entries: readonly HarEntry[], operationId: string, language: Language) {
  const own = entries.filter(({ comment }) => comment === operationId);
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
        {own.map(({ request: { comment, method, url, postData } }, index) => (
          <section>
            <h2>{comment}</h2>
            <p>
              <code>
                {method} {url}
              </code>
            </p>
            <Snippets
              id={`request-${index}`}
              method={method}
              url={url}
              body={postData && JSON.parse(postData.text)}
            />
          </section>
        ))}
      </>
    ),
  });
}
