import type { SandboxAnswers } from '../../client/answers.ts';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { ActionForm } from '../components/action-form.tsx';
import { CallbackTable } from '../components/callback-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import type { Page } from '../page.ts';

const PATH = '/console/callbacks';
const MOST_REPLAYED = 999;
const STATUSES: Record<SandboxAnswers['callback']['status'], string> = {
  PENDING: 'PENDING: not delivered yet',
  DELIVERED: 'DELIVERED',
  'GIVEN-UP': 'GIVEN-UP: no more attempts',
  MAILBOX: 'MAILBOX: no address configured',
};

export const callbacks: Page = {
  path: '/callbacks',
  title: 'Callbacks',
  group: 'Look',
  isLive: true,
  async render({ api, query }) {
    const filter = filled(query, 'type', 'status', 'verificationUuid');
    const position = filled(query, 'before');
    const found = await api.callbacks({ ...filter, ...position, order: 'newest', limit: pageSize(query) });
    const isNarrowed = Object.keys(filter).length > 0;
    return (
      <>
        <p>
          The callbacks of the enclave to your VASP, with every attempt and its answer. Without a callback
          address they wait in the mailbox: <code>GET /sandbox/v1/mailbox</code>.
        </p>
        <FilterBar action={PATH}>
          <Field
            name="type"
            label="Type"
            value={filter.type}
            options={[['', 'Every type'], ...CALLBACK_TYPES]}
          />
          <Field
            name="status"
            label="Status"
            value={filter.status}
            options={[['', 'Any'], ...Object.entries(STATUSES)]}
          />
          <Field
            name="verificationUuid"
            label="Verification"
            value={filter.verificationUuid}
            type="search"
            placeholder="verificationUuid"
            code
          />
        </FilterBar>
        {filter.status === 'GIVEN-UP' && found.callbacks.length > 0 ? (
          <ActionForm to={`${PATH}/replay-all`} label="Replay all" />
        ) : null}
        {found.callbacks.length > 0 ? (
          <CallbackTable rows={found.callbacks} replayAt={`${PATH}/replay`} />
        ) : (
          <Empty>
            {isNarrowed
              ? 'No callback matches this filter.'
              : 'No callback yet. The first one comes after a verification.'}
          </Empty>
        )}
        <Pager
          path={PATH}
          query={query}
          cursor="before"
          shown={found.callbacks.length}
          total={found.total}
          next={found.next}
        />
      </>
    );
  },
  actions: {
    async replay({ api }, { callbackId = '' }) {
      const { callbackType } = await api.replay(callbackId);
      return { kind: 'done', text: `${callbackType} will be sent again.` };
    },
    async 'replay-all'({ api }) {
      const { callbacks: given } = await api.callbacks({ status: 'GIVEN-UP', limit: MOST_REPLAYED });
      for (const { id } of given) await api.replay(id);
      return {
        kind: 'done',
        text:
          given.length === 1
            ? '1 callback will be sent again.'
            : `${given.length} callbacks will be sent again.`,
      };
    },
  },
};
