import type { FaultOrder } from '../../client/answers.ts';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { filled } from '../components/filter-bar.tsx';
import type { Typed } from '../components/form-values.ts';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Page } from '../page.ts';
import { FaultList } from './list.tsx';
import { FaultModes, type FaultTarget } from './modes.tsx';

const MOST_WANTED = 'callback';

export const faults: Page = {
  path: '/faults',
  title: 'Faults',
  inNavigation: true,
  isLive: true,
  async render({ api, query, form }) {
    const { faults: active, targets } = await api.faults();
    const { verificationUuid = '' } = filled(query, 'verificationUuid');
    const chosen = targets.find(({ target }) => target === (query.target ?? MOST_WANTED));
    return (
      <>
        <h2>In force</h2>
        {active.length === 0 ? (
          <Empty>No fault is in force: everything answers as it should. Add one below.</Empty>
        ) : (
          <FaultList rows={active} />
        )}
        <h2>Add a fault</h2>
        <p>
          Choose what is made to fail, then how. The oldest fault that fits an event hits it, as often as it
          says; empty means until you remove it.
        </p>
        <Choice targets={targets} target={chosen?.target} verificationUuid={verificationUuid} />
        {chosen ? (
          <Ways target={chosen} verificationUuid={verificationUuid} sent={form} />
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
      return { kind: 'done', text: 'The fault is removed.' };
    },
    async clear({ api }) {
      const { removed } = await api.removeFaults();
      return { kind: 'done', text: removed === 1 ? '1 fault is removed.' : `${removed} faults are removed.` };
    },
  },
};

interface Choice {
  targets: readonly FaultTarget[];
  target: string | undefined;
  verificationUuid: string;
}

const Choice = ({ targets, target, verificationUuid }: Choice) => (
  <form id="choose-target" class="action" method="get" action="/console/faults" hx-morph-skip>
    <Field
      name="target"
      label="What fails"
      value={target}
      options={targets.map(each => [each.target, each.target])}
    />
    <Field
      name="verificationUuid"
      label="Only this verification (empty: all of yours)"
      value={verificationUuid}
      code
    />
    <button type="submit" class="secondary">
      Show its modes
    </button>
  </form>
);

interface Ways {
  target: FaultTarget;
  verificationUuid: string;
  /** The form that was just sent. */
  sent: Typed | undefined;
}

const Ways = ({ target, verificationUuid, sent }: Ways) => (
  <section id="modes">
    <h3>
      <code>{target.target}</code>{' '}
      {verificationUuid ? (
        <>
          of verification <VerificationLink uuid={verificationUuid} />
        </>
      ) : (
        'of every verification of yours'
      )}
    </h3>
    <FaultModes of={target} verificationUuid={verificationUuid} sent={sent} />
  </section>
);

const NUMBERS = ['times', 'status'];

/** Empty fields are left out; the API says what is wrong with the others. */
const orderOf = (form: Record<string, string>): FaultOrder =>
  Object.fromEntries(
    Object.entries(filled(form, ...Object.keys(form))).map(([name, text]) => [
      name,
      NUMBERS.includes(name) ? Number(text) : text,
    ]),
  ) as FaultOrder;
