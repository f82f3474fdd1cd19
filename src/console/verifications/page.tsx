import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { REASON_CODES, RESULT_VALUES } from '../../contract/clauses.ts';
import { MAX_SEARCH_LENGTH } from '../../contract/text.ts';
import { FilterBar, filled, Pager, pageSize } from '../components/table.tsx';
import { type Verification, VerificationTable } from '../components/verification-table.tsx';
import type { Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';

const PATH = '/console/verifications';

export const verifications: Page = {
  path: '/verifications',
  title: 'Verifications',
  group: 'Look',
  isLive: true,
  async render({ api, query, texts: { verification: texts } }) {
    const filter = filled(query, 'search', 'role', 'status', 'result', 'reason', 'symbol');
    const position = filled(query, 'before');
    const found = await api.verifications({ ...filter, ...position, limit: pageSize(query) });
    const rows = found.verifications;
    return (
      <>
        <FilterBar action={PATH} query={query} fields={filterFields(texts)} />
        <VerificationTable rows={rows} empty={Object.keys(filter).length > 0 ? texts.noMatch : texts.none} />
        <Pager path={PATH} query={query} shown={rows.length} total={found.total} next={found.next} />
      </>
    );
  },
};

const filterFields = (texts: Texts['verification']): Parameters<typeof FilterBar>[0]['fields'] => {
  const roles: Record<Verification['role'], string> = {
    originating: texts.originatingVasp,
    beneficiary: texts.beneficiaryVasp,
  };
  const statuses: Record<Verification['status'], string> = { OPEN: texts.open, COMPLETED: texts.completed };
  return [
    {
      name: 'search',
      label: texts.search,
      type: 'search',
      maxLength: MAX_SEARCH_LENGTH,
      placeholder: texts.searchHint,
    },
    { name: 'role', label: texts.youAre, options: Object.entries(roles) },
    { name: 'status', label: texts.status, options: Object.entries(statuses) },
    { name: 'result', label: texts.result, options: RESULT_VALUES },
    { name: 'reason', label: texts.reason, options: REASON_CODES },
    { name: 'symbol', label: texts.symbol, options: ASSET_SYMBOLS },
  ];
};
