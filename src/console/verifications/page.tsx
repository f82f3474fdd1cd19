import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { REASON_CODES, RESULT_VALUES } from '../../contract/reasons.ts';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import { type Verification, VerificationTable } from '../components/verification-table.tsx';
import type { Page } from '../page.ts';

const PATH = '/console/verifications';

export const verifications: Page = {
  path: '/verifications',
  title: 'Verifications',
  group: 'Look',
  isLive: true,
  async render({ api, query }) {
    const filter = filled(query, 'search', 'role', 'status', 'result', 'reason', 'symbol');
    const position = filled(query, 'before');
    const found = await api.verifications({ ...filter, ...position, limit: pageSize(query) });
    const rows = found.verifications;
    return (
      <>
        <Filter {...filter} />
        {rows.length > 0 ? (
          <VerificationTable rows={rows} />
        ) : (
          <Nothing isNarrowed={Object.keys(filter).length > 0} />
        )}
        <Pager
          path={PATH}
          query={query}
          cursor="before"
          shown={rows.length}
          total={found.total}
          next={found.next}
        />
      </>
    );
  },
};

const ROLES: Record<Verification['role'], string> = {
  originating: 'Originating VASP',
  beneficiary: 'Beneficiary VASP',
};
const STATUSES: Record<Verification['status'], string> = {
  OPEN: 'OPEN: not decided yet',
  COMPLETED: 'COMPLETED',
};

const Filter = ({ search, role, status, result, reason, symbol }: Record<string, string>) => (
  <FilterBar action={PATH}>
    <Field
      name="search"
      label="Search"
      value={search}
      type="search"
      placeholder="uuid, hash, address, name, amount"
    />
    <Field name="role" label="You are" value={role} options={[['', 'Any'], ...Object.entries(ROLES)]} />
    <Field name="status" label="Status" value={status} options={[['', 'Any'], ...Object.entries(STATUSES)]} />
    <Field name="result" label="Result" value={result} options={[['', 'Any'], ...RESULT_VALUES]} />
    <Field name="reason" label="Reason" value={reason} options={[['', 'Any'], ...REASON_CODES]} />
    <Field name="symbol" label="Symbol" value={symbol} options={[['', 'Any'], ...ASSET_SYMBOLS]} />
  </FilterBar>
);

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty>No verification matches this filter.</Empty>
  ) : (
    <Empty>
      No verification yet. <a href="/console/send">Send one</a>, or call <code>POST /v1/verifications</code>{' '}
      from your VASP.
    </Empty>
  );
