import type { Order } from '../../client/calls.ts';
import type { Answers } from '../../client/client.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable, filled } from '../components/table.tsx';
import { Empty, InlineCode } from '../components/text.tsx';
import { Time, VerificationLink } from '../components/values.tsx';
import { done, type Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';

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
    <Field name="verificationUuid" label={useTexts().faults.verificationField} value={verificationUuid} code />
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

type Fault = Answers['addFault'];

const FaultList = ({ rows }: { rows: readonly Fault[] }) => {
  const { faults, pages, list } = useTexts();
  return (
    <>
      <DataTable
        caption={faults.caption}
        rows={rows}
        empty={faults.none}
        idOf={({ id }) => `fault-${id}`}
        columns={[
          { head: faults.target, cell: ({ target }) => <code class="name">{target}</code> },
          { head: faults.mode, cell: row => <Mode of={row} /> },
          { head: pages.Verification, cell: ({ verificationUuid }) => <Scope uuid={verificationUuid} /> },
          { head: faults.applied, numeric: true, cell: ({ used }) => counted(faults.times, used) },
          {
            head: faults.left,
            cell: ({ left }) => (left === null ? faults.untilRemoved : counted(faults.times, left)),
          },
          { head: faults.addedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
          { head: list.actions, cell: row => <Remove of={row} /> },
        ]}
      />
      {rows.length > 1 ? (
        <ActionForm to="/console/faults/clear" label={fill(faults.removeAll, { count: rows.length })} tone="contrast" />
      ) : null}
    </>
  );
};

const Scope = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? <span class="muted">{useTexts().faults.allOfYours}</span> : <VerificationLink uuid={uuid} />;

const Mode = ({ of: { mode, parameters, meaning } }: { of: Fault }) => (
  <>
    <strong>{mode}</strong>{' '}
    {Object.entries(parameters).map(([name, value]) => (
      <code>
        {name} {value}
      </code>
    ))}
    <br />
    <small>
      <InlineCode text={meaning} />
    </small>
  </>
);

const Remove = ({ of: { id, target, mode } }: { of: Fault }) => (
  <ActionForm
    to="/console/faults/remove"
    label={useTexts().faults.remove}
    values={{ faultId: id }}
    describe={() => fill(useTexts().faults.removeThis, { mode, target })}
  />
);

type FaultTarget = Answers['faults']['targets'][number];
type FaultMode = FaultTarget['modes'][number];

interface FaultModes {
  of: FaultTarget;
  verificationUuid: string;
}

/** One form per mode of the target. */
const FaultModes = ({ of: { target, modes }, verificationUuid }: FaultModes) => (
  <div class="cards">
    {modes.map(mode => (
      <article>
        <h3>{mode.mode}</h3>
        <p>
          <InlineCode text={mode.meaning} />
        </p>
        <ActionForm
          id={`add-${target}-${mode.mode}`}
          to="/console/faults/add"
          values={{ target, mode: mode.mode, verificationUuid }}
          label={useTexts().faults.addShort}
          describe={() => fill(useTexts().faults.addMode, { mode: mode.mode })}
          keeps
        >
          <Parameters of={mode} />
        </ActionForm>
      </article>
    ))}
  </div>
);

type Input = { value?: string; placeholder?: string; type?: 'number' };
type Name = FaultMode['parameters'][number] | 'times';
const inputsOf = ({ messageHint, untilRemoved }: Texts['faults']): Record<Name, Input> => ({
  delay: { value: '30s' },
  status: { value: '503', type: 'number' },
  code: { placeholder: 'INTERNAL-ERROR' },
  message: { placeholder: messageHint },
  times: { value: '1', placeholder: untilRemoved, type: 'number' },
});

const Parameters = ({ of: { parameters } }: { of: FaultMode }) => {
  const { faults } = useTexts();
  return (
    <>
      {[...parameters, 'times' as const].map(name => {
        const label = faults[name === 'times' ? 'howOften' : name];
        return <Field name={name} label={label} {...inputsOf(faults)[name]} />;
      })}
    </>
  );
};
