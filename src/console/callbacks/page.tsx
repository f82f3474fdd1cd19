import type { Answers, Client } from '../../client/client.ts';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { Attempts, CallbackTable, Replay, replay } from '../components/callback-table.tsx';
import { ActionForm } from '../components/form.tsx';
import { Beside, FilterBar, filled, hrefOfRow, Pager, pageSize, verificationField } from '../components/table.tsx';
import { Paragraph } from '../components/text.tsx';
import { Badge } from '../components/values.tsx';
import { done, type Page } from '../page.ts';
import { counted } from '../texts/languages.ts';

const PATH = '/console/callbacks';
const MAX_REPLAYED = 999;
type Callback = Answers['replay'];

/** Undefined: none is chosen, or it is no longer kept. */
async function callbackOf(api: Client, id: string | undefined): Promise<Callback | undefined> {
  if (id === undefined || !IS_ID.test(id)) return undefined;
  const [found] = (await api.callbacks({ before: Number(id) + 1, order: 'newest', limit: 1 })).callbacks;
  return found?.id === id ? found : undefined;
}
const IS_ID = /^\d{1,15}$/;

const Detail = ({ of }: { of: Callback }) => (
  <>
    <h2>
      {of.callbackType} <Badge of={of.status} />
    </h2>
    <Replay of={of} at={`${PATH}/replay`} />
    <Attempts of={of} />
  </>
);

const STATUSES: readonly Answers['replay']['status'][] = ['PENDING', 'DELIVERED', 'LOST', 'GIVEN-UP', 'MAILBOX'];

export const callbacks: Page = {
  path: '/callbacks',
  title: 'Callbacks',
  group: 'Look',
  isLive: true,
  async render({ api, query, texts: all }) {
    const { callbacks: texts, callback, overview, verification } = all;
    const filter = filled(query, 'type', 'status', 'verificationUuid');
    const position = filled(query, 'before');
    const found = await api.callbacks({ ...filter, ...position, order: 'newest', limit: pageSize(query) });
    const shown = await callbackOf(api, query.shown);
    const isNarrowed = Object.keys(filter).length > 0;
    return (
      <>
        <Paragraph of={texts.intro} />
        <FilterBar
          action={PATH}
          query={query}
          fields={[
            { name: 'type', label: callback.type, any: texts.everyType, options: CALLBACK_TYPES },
            { name: 'status', label: verification.status, options: STATUSES.map(each => [each, texts[each]]) },
            verificationField(all),
          ]}
        />
        {filter.status === 'GIVEN-UP' && found.callbacks.length > 0 ? (
          <ActionForm to={`${PATH}/replay-all`} label={overview.replayAll} />
        ) : null}
        <Beside shown={shown && <Detail of={shown} />} label={texts.details}>
          <CallbackTable
            rows={found.callbacks}
            empty={isNarrowed ? texts.noMatch : texts.none}
            replayAt={`${PATH}/replay`}
            hrefOf={id => hrefOfRow(PATH, query, id, `callback-${id}`)}
            shown={shown?.id}
          />
          <Pager path={PATH} query={query} shown={found.callbacks.length} total={found.total} next={found.next} />
        </Beside>
      </>
    );
  },
  actions: {
    replay,
    async 'replay-all'({ api, texts }) {
      const { callbacks: given } = await api.callbacks({ status: 'GIVEN-UP', limit: MAX_REPLAYED });
      for (const { id } of given) await api.replay(id);
      return done(counted(texts.callbacks.allReplayed, given.length));
    },
  },
};
