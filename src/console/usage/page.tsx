import type { SandboxAnswers } from '../../client/answers.ts';
import { QUOTA_NAMES, type QuotaName } from '../../contract/quotas.ts';
import { DataTable } from '../components/data-table.tsx';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';

type Uses = SandboxAnswers['usage']['quotas'];

/** The use of its quotas by this VASP. */
export const usage: Page = {
  path: '/usage',
  title: 'Usage',
  audience: ['hosted VASP'],
  group: 'Look',
  isLive: true,
  async render({ api, texts }) {
    const { quotas } = await api.usage();
    return (
      <>
        <p>{texts.usage.intro}</p>
        <QuotaTable of={quotas} />
      </>
    );
  },
};

export const QuotaTable = ({ of: uses }: { of: Uses }) => {
  const { usage: texts, quotas } = useTexts();
  return (
    <DataTable<QuotaName>
      caption={texts.caption}
      rows={QUOTA_NAMES}
      idOf={name => `quota-${name}`}
      isLoud={name => isNearlyUsed(uses[name])}
      columns={[
        { head: texts.quota, cell: name => texts.atMost(quotas[name]) },
        { head: texts.limit, numeric: true, cell: name => uses[name].limit },
        { head: texts.used, numeric: true, cell: name => uses[name].used ?? '–' },
        { head: texts.beginsAgain, cell: name => uses[name].freesAt?.replace('T', ' ').slice(0, 16) ?? '–' },
      ]}
    />
  );
};

const isNearlyUsed = ({ used, limit }: Uses[QuotaName]): boolean => used !== null && used >= limit * 0.8;
