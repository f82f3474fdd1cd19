import { Snippets } from './components/snippets.tsx';
import { layout } from './layout.tsx';
import { PAGES } from './pages.ts';

/** The members of `/sandbox/v1/collection?format=har` that this page reads. */
export interface HarEntry {
  comment: string;
  request: { comment: string; method: string; url: string; postData?: { text: string } };
}

/** The example requests of one operation in every language. Undefined: there is no such operation. */
export function snippetsPage(entries: readonly HarEntry[], operationId: string) {
  const own = entries.filter(({ comment }) => comment === operationId);
  if (own.length === 0) return undefined;
  const here = `/docs/snippets/${operationId}`;
  return layout({
    language: 'en',
    title: operationId,
    page: { path: here, title: 'API', isLive: false, render: async () => null },
    pages: PAGES,
    here,
    vaspName: '',
    now: 0,
    body: (
      <>
        <p>
          The <a href="/docs">API document</a> describes this operation. The Python code uses the package{' '}
          <code>requests</code>.
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
