import type { SandboxAnswers } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { DataTable } from '../components/data-table.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import { Time } from '../components/time.tsx';
import { VerificationLink } from '../components/verification-link.tsx';

type Fault = SandboxAnswers['fault'];

/** The active faults and how often they will still apply. */
export const FaultList = ({ rows }: { rows: readonly Fault[] }) => (
  <>
    <DataTable
      caption="Active faults, oldest first"
      rows={rows}
      idOf={({ id }) => `fault-${id}`}
      columns={[
        { head: 'Target', cell: ({ target }) => <code class="name">{target}</code> },
        { head: 'Mode', cell: row => <Mode of={row} /> },
        { head: 'Verification', cell: ({ verificationUuid }) => <Scope uuid={verificationUuid} /> },
        { head: 'Applied', numeric: true, cell: ({ used }) => times(used) },
        { head: 'Left', cell: ({ left }) => (left === null ? 'until removed' : times(left)) },
        { head: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Actions', cell: row => <Remove of={row} /> },
      ]}
    />
    {rows.length > 1 ? (
      <ActionForm to="/console/faults/clear" label={`Remove all ${rows.length}`} tone="contrast" />
    ) : null}
  </>
);

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const Scope = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? <span class="muted">all of your VASP</span> : <VerificationLink uuid={uuid} />;

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
    label="Remove"
    values={{ faultId: id }}
    description={`Remove ${mode} of ${target}`}
  />
);
