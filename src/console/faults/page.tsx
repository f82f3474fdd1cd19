import type { Order } from '../../client/calls.ts';
import type { Answers } from '../../client/client.ts';
import { ActionForm, Field, numberIn } from '../components/form.tsx';
import { DataTable, filled } from '../components/table.tsx';
import { Empty, Sentence, WithReason } from '../components/text.tsx';
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
        <TargetForm targets={targets} target={chosen} verificationUuid={verificationUuid} />
        {chosen ? <Modes target={chosen} verificationUuid={verificationUuid} /> : <Empty of={texts.noSuchTarget} />}
      </>
    );
  },
  actions: {
    async add({ api, texts: { faults: texts } }, form) {
      const fault = await api.addFault(orderOf(form));
      return done(fill(texts.added, { mode: fault.mode, target: fault.target }), <Sentence text={fault.meaning} />);
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

interface Chosen {
  target: FaultTarget;
  verificationUuid: string;
}

const TargetForm = ({ targets, target, verificationUuid }: Partial<Chosen> & { targets: readonly FaultTarget[] }) => {
  const { faults: texts } = useTexts();
  const names = targets.map(each => each.target);
  return (
    <form id="choose-target" class="action" method="get" action="/console/faults" hx-morph-skip>
      <Field name="target" label={texts.target} value={target?.target} options={names} />
      <Field name="verificationUuid" label={texts.verificationField} value={verificationUuid} code />
      <button type="submit" class="secondary">
        {texts.showModes}
      </button>
    </form>
  );
};

/** A form for each mode of the target. */
const Modes = ({ target: { target, modes }, verificationUuid }: Chosen) => {
  const { faults: texts } = useTexts();
  return (
    <section id="modes">
      <h3>
        <code>{target}</code>{' '}
        {verificationUuid ? (
          <>
            {texts.ofVerification} <VerificationLink uuid={verificationUuid} />
          </>
        ) : (
          texts.ofEvery
        )}
      </h3>
      <div class="cards">
        {modes.map(({ mode, meaning, parameters }) => (
          <article>
            <h3>{mode}</h3>
            <Sentence text={meaning} />
            <ActionForm
              id={`add-${target}-${mode}`}
              to="/console/faults/add"
              values={{ target, mode, verificationUuid }}
              label={texts.addShort}
              describe={() => fill(texts.addMode, { mode })}
              keeps
            >
              {[...parameters, 'times' as const].map(name => {
                const label = texts[name === 'times' ? 'howOften' : name];
                return <Field name={name} label={label} {...inputsOf(texts)[name]} />;
              })}
            </ActionForm>
          </article>
        ))}
      </div>
    </section>
  );
};

const NUMBERS = ['times', 'status'];

/** Leaves out empty fields. The API checks the others. */
const orderOf = (form: Record<string, string>): Order<'addFault'> =>
  Object.fromEntries(
    Object.entries(filled(form, ...Object.keys(form))).map(([name, text]) => [
      name,
      NUMBERS.includes(name) ? numberIn(text) : text,
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
          {
            head: pages.Verification,
            cell: ({ verificationUuid: uuid }) =>
              uuid === null ? <span class="muted">{faults.allOfYours}</span> : <VerificationLink uuid={uuid} />,
          },
          { head: faults.applied, numeric: true, cell: ({ used }) => counted(faults.times, used) },
          {
            head: faults.left,
            cell: ({ left }) => (left === null ? faults.untilRemoved : counted(faults.times, left)),
          },
          { head: faults.addedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: list.actions,
            cell: ({ id, mode, target }) => (
              <ActionForm
                to="/console/faults/remove"
                label={faults.remove}
                values={{ faultId: id }}
                describe={() => fill(faults.removeThis, { mode, target })}
              />
            ),
          },
        ]}
      />
      {rows.length > 1 ? (
        <ActionForm to="/console/faults/clear" label={fill(faults.removeAll, { count: rows.length })} tone="contrast" />
      ) : null}
    </>
  );
};

const Mode = ({ of: { mode, parameters, meaning } }: { of: Fault }) => (
  <WithReason reason={meaning}>
    <strong>{mode}</strong>{' '}
    {Object.entries(parameters).map(([name, value]) => (
      <code>
        {name} {value}
      </code>
    ))}
  </WithReason>
);

type FaultTarget = Answers['faults']['targets'][number];
type Input = { value?: string; placeholder?: string; type?: 'number' };
type Name = FaultTarget['modes'][number]['parameters'][number] | 'times';
const inputsOf = ({ messageHint, untilRemoved }: Texts['faults']): Record<Name, Input> => ({
  delay: { value: '30s' },
  status: { value: '503', type: 'number' },
  code: { placeholder: 'INTERNAL-ERROR' },
  message: { placeholder: messageHint },
  times: { value: '1', placeholder: untilRemoved, type: 'number' },
});
