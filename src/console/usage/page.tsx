import type { Answers } from '../../client/client.ts';
import { QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Time } from '../components/values.tsx';
import { done, type Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';

type Uses = Answers['usage']['quotas'];

export const usage: Page = {
  path: '/usage',
  title: 'Usage',
  audience: ['hosted VASP'],
  group: 'Look',
  isLive: true,
  actions: {
    claim: async ({ api, texts }, { invitation = '' }) => {
      await api.claimTrial({ invitation: invitation.trim() });
      return done(texts.usage.claimed);
    },
  },
  async render({ api, texts }) {
    const { quotas, trialEndsAt } = await api.usage();
    return (
      <>
        {trialEndsAt === null ? null : (
          <article class="notice">
            <p>
              {texts.usage.trial} <Time at={trialEndsAt} clock="machine" />.{' '}
              <a href="/guide/hosting#trials">{texts.pages.Guide}</a>
            </p>
            <ActionForm to="/console/usage/claim" label={texts.usage.claim}>
              <Field name="invitation" label={texts.usage.invitation} required />
            </ActionForm>
          </article>
        )}
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
        { head: texts.quota, cell: name => quotas[name] },
        { head: texts.limit, numeric: true, cell: name => grouped(uses[name].limit) },
        { head: texts.used, numeric: true, cell: name => grouped(uses[name].used) },
        { head: texts.beginsAgain, cell: name => uses[name].freesAt?.replace('T', ' ').slice(0, 16) ?? '–' },
      ]}
    />
  );
};

const grouped = (amount: number | null): string => amount?.toLocaleString('en') ?? '–';

const isNearlyUsed = ({ used, limit }: Uses[QuotaName]): boolean => used !== null && used >= limit * 0.8;
