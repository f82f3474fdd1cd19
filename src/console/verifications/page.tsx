import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { REASON_CODES, RESULT_VALUES } from '../../contract/reasons.ts';
import { MAX_SEARCH_LENGTH } from '../../contract/text.ts';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import { type Verification, VerificationTable } from '../components/verification-table.tsx';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';

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
        <Filter {...filter} />
        <VerificationTable rows={rows} empty={Object.keys(filter).length > 0 ? texts.noMatch : texts.none} />
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

const Filter = ({ search, role, status, result, reason, symbol }: Record<string, string>) => {
  const texts = useTexts().verification;
  const roles: Record<Verification['role'], string> = {
    originating: texts.originatingVasp,
    beneficiary: texts.beneficiaryVasp,
  };
  const statuses: Record<Verification['status'], string> = { OPEN: texts.open, COMPLETED: texts.completed };
  return (
    <FilterBar action={PATH}>
      <Field
        name="search"
        label={texts.search}
        value={search}
        type="search"
        maxLength={MAX_SEARCH_LENGTH}
        placeholder={texts.searchHint}
      />
      <Field name="role" label={texts.youAre} value={role} any={texts.any} options={Object.entries(roles)} />
      <Field
        name="status"
        label={texts.status}
        value={status}
        any={texts.any}
        options={Object.entries(statuses)}
      />
      <Field name="result" label={texts.result} value={result} any={texts.any} options={RESULT_VALUES} />
      <Field name="reason" label={texts.reason} value={reason} any={texts.any} options={REASON_CODES} />
      <Field name="symbol" label={texts.symbol} value={symbol} any={texts.any} options={ASSET_SYMBOLS} />
    </FilterBar>
  );
};
