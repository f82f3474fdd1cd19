import type { SandboxAnswers } from '../../client/answers.ts';
import { QUOTA_NAMES, QUOTA_RULES, type QuotaName } from '../../contract/quotas.ts';
import { DataTable } from '../components/data-table.tsx';
import type { Page } from '../page.ts';

type Uses = SandboxAnswers['usage']['quotas'];

/** The use of its quotas by this VASP. */
export const usage: Page = {
  path: '/usage',
  title: 'Usage',
  audience: ['hosted VASP'],
  group: 'Look',
  isLive: true,
  async render({ api }) {
    const { quotas } = await api.usage();
    return (
      <>
        <p>What your VASP uses of its quotas. Ask the operator for more.</p>
        <QuotaTable of={quotas} />
      </>
    );
  },
};

export const QuotaTable = ({ of: uses }: { of: Uses }) => (
  <DataTable<QuotaName>
    caption="Quotas"
    rows={QUOTA_NAMES}
    idOf={name => `quota-${name}`}
    isLoud={name => isNearlyUsed(uses[name])}
    columns={[
      { head: 'Quota', cell: name => `At most ${QUOTA_RULES[name].meaning}` },
      { head: 'Limit', numeric: true, cell: name => uses[name].limit },
      { head: 'Used', numeric: true, cell: name => uses[name].used ?? '–' },
      { head: 'Begins again', cell: name => uses[name].freesAt?.replace('T', ' ').slice(0, 16) ?? '–' },
    ]}
  />
);

const isNearlyUsed = ({ used, limit }: Uses[QuotaName]): boolean => used !== null && used >= limit * 0.8;
