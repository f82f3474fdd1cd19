import type { Order } from '../../client/calls.ts';
import { Field } from '../components/form.tsx';
import { VerificationLink } from '../components/links.tsx';
import { filled } from '../components/table.tsx';
import { Empty, InlineCode } from '../components/text.tsx';
import { done, type Page } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { FaultList } from './list.tsx';
import { FaultModes, type FaultTarget } from './modes.tsx';

const DEFAULT_TARGET: FaultTarget['target'] = 'callback';

export const faults: Page = {
  path: '/faults',
  title: 'Faults',
  group: 'Steer',
  isLive: true,
  async render({ api, query, texts: { faults: texts } }) {
    const { faults: active, targets } = await api.faults();
    const { verificationUuid = '' } = filled(query, 'verificationUuid');
    const chosen = targets.find(({ target }) => target === (query.target ?? DEFAULT_TARGET));
    return (
      <>
        <h2>{texts.active}</h2>
        <FaultList rows={active} />
        <h2>{texts.add}</h2>
        <p>{texts.intro}</p>
        <TargetForm targets={targets} target={chosen?.target} verificationUuid={verificationUuid} />
        {chosen ? (
          <ModesSection target={chosen} verificationUuid={verificationUuid} />
        ) : (
          <Empty of={texts.noSuchTarget} />
        )}
      </>
    );
  },
  actions: {
    async add({ api, texts: { faults: texts } }, form) {
      const fault = await api.addFault(orderOf(form));
      return done(
        fill(texts.added, { mode: fault.mode, target: fault.target }),
        <p>
          <InlineCode text={fault.meaning} />
        </p>,
      );
    },
    async remove({ api, texts }, { faultId = '' }) {
      await api.removeFault(faultId);
      return done(texts.faults.removed);
    },
    async clear({ api, texts }) {
      const { removed } = await api.removeFaults();
      return done(counted(texts.faults.allRemoved, removed));
    },
  },
};

interface TargetForm {
  targets: readonly FaultTarget[];
  target: string | undefined;
  verificationUuid: string;
}

const TargetForm = ({ targets, target, verificationUuid }: TargetForm) => (
  <form id="choose-target" class="action" method="get" action="/console/faults" hx-morph-skip>
    <Field
      name="target"
      label={useTexts().faults.target}
      value={target}
      options={targets.map(each => [each.target, each.target])}
    />
    <Field
      name="verificationUuid"
      label={useTexts().faults.verificationField}
      value={verificationUuid}
      code
    />
    <button type="submit" class="secondary">
      {useTexts().faults.showModes}
    </button>
  </form>
);

interface ModesSection {
  target: FaultTarget;
  verificationUuid: string;
}

const ModesSection = ({ target, verificationUuid }: ModesSection) => (
  <section id="modes">
    <h3>
      <code>{target.target}</code>{' '}
      {verificationUuid ? (
        <>
          {useTexts().faults.ofVerification} <VerificationLink uuid={verificationUuid} />
        </>
      ) : (
        useTexts().faults.ofEvery
      )}
    </h3>
    <FaultModes of={target} verificationUuid={verificationUuid} />
  </section>
);

const NUMBERS = ['times', 'status'];

/** Leaves out empty fields. The API checks the others. */
const orderOf = (form: Record<string, string>): Order<'addFault'> =>
  Object.fromEntries(
    Object.entries(filled(form, ...Object.keys(form))).map(([name, text]) => [
      name,
      NUMBERS.includes(name) ? Number(text) : text,
    ]),
  ) as Order<'addFault'>;
