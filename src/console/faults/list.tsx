import type { Answers } from '../../client/answers.ts';
import { ActionForm } from '../components/form.tsx';
import { VerificationLink } from '../components/links.tsx';
import { DataTable } from '../components/table.tsx';
import { InlineCode } from '../components/text.tsx';
import { Time } from '../components/time.tsx';
import { counted, fill, useTexts } from '../texts/languages.ts';

type Fault = Answers['addFault'];

export const FaultList = ({ rows }: { rows: readonly Fault[] }) => {
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
        <ActionForm
          to="/console/faults/clear"
          label={fill(faults.removeAll, { count: rows.length })}
          tone="contrast"
        />
      ) : null}
    </>
  );
};

const Scope = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? (
    <span class="muted">{useTexts().faults.allOfYours}</span>
  ) : (
    <VerificationLink uuid={uuid} />
  );

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
