import { Refused } from '../client/client.ts';
import { Fold, Prose } from './components/text.tsx';
import { NoticeBox } from './layout.tsx';
import type { Notice, Page } from './page.ts';
import { PAGES } from './pages.ts';
import type { Texts } from './texts/english.ts';

/** The frame of the page stays. */
export function missing(error: unknown): Refused {
  if (error instanceof Refused && error.status === 404) return error;
  throw error;
}

/** What is not there links to the list of what is there. */
export const RefusedPage = ({ error, page, texts }: { error: Refused; page: Page; texts: Texts }) => {
  const list = error.status === 404 && PAGES.find(({ path }) => path === page.parent);
  const notice = refusalNotice(error, texts);
  if (!list) return <NoticeBox {...notice} />;
  const link = <a href={`/console${list.path}`}>{texts.pages[list.title]}</a>;
  return (
    <article class="notice failed">
      <p>
        <Prose of={texts.frame.noSuchEntry} with={{ list: link }} />
      </p>
      {notice.detail}
    </article>
  );
};

/** In words. The API call is folded away. */
export const refusalNotice = ({ reason, call, field }: Refused, { frame }: Texts): Notice => ({
  kind: 'failed',
  text: reason === '' ? call : reason,
  field: field?.split('.').at(-1),
  detail: (
    <Fold id="refused-call" summary={frame.apiCall}>
      <code>{call}</code>
    </Fold>
  ),
});
