import type { FaultOrder } from '../../client/answers.ts';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { filled } from '../components/filter-bar.tsx';
import type { FormValues } from '../components/form-values.ts';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Page } from '../page.ts';
import { FaultList } from './list.tsx';
import { FaultModes, type FaultTarget } from './modes.tsx';

const DEFAULT_TARGET: FaultTarget['target'] = 'callback';

export const faults: Page = {
  path: '/faults',
  title: 'Faults',
  group: 'Steer',
  isLive: true,
  async render({ api, query, form }) {
    const { faults: active, targets } = await api.faults();
    const { verificationUuid = '' } = filled(query, 'verificationUuid');
    const chosen = targets.find(({ target }) => target === (query.target ?? DEFAULT_TARGET));
    return (
      <>
        <h2>Active faults</h2>
        {active.length === 0 ? (
          <Empty>No fault is active. Everything works normally. Add a fault below.</Empty>
        ) : (
          <FaultList rows={active} />
        )}
        <h2>Add a fault</h2>
        <p>
          Choose a target, then a mode. If several faults match an event, the oldest one applies. A fault
          applies as often as “How often” says. If that is empty, it applies until you remove it.
        </p>
        <TargetForm targets={targets} target={chosen?.target} verificationUuid={verificationUuid} />
        {chosen ? (
          <ModesSection target={chosen} verificationUuid={verificationUuid} sent={form} />
        ) : (
          <Empty>There is no such target. Choose one above.</Empty>
        )}
      </>
    );
  },
  actions: {
    async add({ api }, form) {
      const fault = await api.addFault(orderOf(form));
      return { kind: 'done', text: `Added: ${fault.mode} of ${fault.target}. ${fault.meaning}` };
    },
    async remove({ api }, { faultId = '' }) {
      await api.removeFault(faultId);
      return { kind: 'done', text: 'The fault was removed.' };
    },
    async clear({ api }) {
      const { removed } = await api.removeFaults();
      return {
        kind: 'done',
        text: removed === 1 ? '1 fault was removed.' : `${removed} faults were removed.`,
      };
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
      label="Target"
      value={target}
      options={targets.map(each => [each.target, each.target])}
    />
    <Field
      name="verificationUuid"
      label="Verification (empty: all of your VASP)"
      value={verificationUuid}
      code
    />
    <button type="submit" class="secondary">
      Show its modes
    </button>
  </form>
);

interface ModesSection {
  target: FaultTarget;
  verificationUuid: string;
  /** The form that was just sent. */
  sent: FormValues | undefined;
}

const ModesSection = ({ target, verificationUuid, sent }: ModesSection) => (
  <section id="modes">
    <h3>
      <code>{target.target}</code>{' '}
      {verificationUuid ? (
        <>
          of verification <VerificationLink uuid={verificationUuid} />
        </>
      ) : (
        'of every verification of your VASP'
      )}
    </h3>
    <FaultModes of={target} verificationUuid={verificationUuid} sent={sent} />
  </section>
);

const NUMBERS = ['times', 'status'];

/** Leaves out empty fields. The API checks the others. */
const orderOf = (form: Record<string, string>): FaultOrder =>
  Object.fromEntries(
    Object.entries(filled(form, ...Object.keys(form))).map(([name, text]) => [
      name,
      NUMBERS.includes(name) ? Number(text) : text,
    ]),
  ) as FaultOrder;
