import type { SandboxAnswers } from '../../client/answers.ts';
import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { CallbackTable } from '../components/callback-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Pager, withQuery } from '../components/pager.tsx';
import type { Page } from '../page.ts';

const PATH = '/console/callbacks';
const PER_PAGE = 25;
const STATUSES: SandboxAnswers['callback']['status'][] = ['PENDING', 'DELIVERED', 'GIVEN-UP', 'MAILBOX'];

export const callbacks: Page = {
  path: '/callbacks',
  title: 'Callbacks',
  inNavigation: true,
  isLive: true,
  async render({ api, query }) {
    const filter = filled(query, 'type', 'status', 'verificationUuid');
    const position = filled(query, 'before');
    const found = await api.callbacks({ ...filter, ...position, order: 'newest', limit: PER_PAGE });
    const isNarrowed = Object.keys(filter).length > 0;
    return (
      <>
        <p>
          What the enclave tells your VASP, every attempt with its answer. Where no callback address is
          configured, callbacks wait in the <a href="/docs">mailbox</a>.
        </p>
        <FilterBar action={PATH}>
          <Field
            name="type"
            label="Type"
            value={filter.type}
            options={[['', 'Every type'], ...CALLBACK_TYPES]}
          />
          <Field name="status" label="Status" value={filter.status} options={[['', 'Any'], ...STATUSES]} />
          <Field
            name="verificationUuid"
            label="Verification"
            value={filter.verificationUuid}
            type="search"
            placeholder="verificationUuid"
            code
          />
        </FilterBar>
        {found.callbacks.length > 0 ? (
          <CallbackTable rows={found.callbacks} replayAt={`${PATH}/replay`} />
        ) : (
          <Empty>
            {isNarrowed
              ? 'No callback fits this filter.'
              : 'No callback yet. The first one comes when a verification is finished.'}
          </Empty>
        )}
        <Pager
          newer={position.before === undefined ? undefined : withQuery(PATH, filter)}
          older={found.next === null ? undefined : withQuery(PATH, { ...filter, before: found.next })}
          here={`${found.callbacks.length} callbacks`}
        />
      </>
    );
  },
  actions: {
    async replay({ api }, { callbackId = '' }) {
      const { callbackType } = await api.replay(callbackId);
      return { kind: 'done', text: `${callbackType} is being sent again.` };
    },
  },
};
