import type { SandboxAnswers } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { UserLink } from './user-link.tsx';

type Balance = SandboxAnswers['balances']['balances'][number];
type Figure = 'credited' | 'reserved' | 'paidOut' | 'value';

const figure = (head: string, name: Figure): Column<Balance> => ({
  head,
  numeric: true,
  cell: row => (name === 'value' ? <strong>{row[name]}</strong> : row[name]),
});

export const Balances = ({ rows }: { rows: readonly Balance[] }) =>
  rows.length === 0 ? (
    <Empty>No balance yet. The first credited deposit makes one.</Empty>
  ) : (
    <DataTable
      caption="Balances per user and symbol"
      rows={rows}
      idOf={({ symbol, address }) => `balance-${symbol}-${address.replace(':', '_')}`}
      columns={[
        { head: 'User', cell: ({ userId }) => <UserLink id={userId} /> },
        { head: 'Symbol', cell: ({ symbol }) => symbol },
        { head: 'Address', cell: ({ address }) => <Copyable text={address} ends={10} /> },
        figure('Credited', 'credited'),
        figure('Reserved', 'reserved'),
        figure('Paid out', 'paidOut'),
        figure('Balance', 'value'),
      ]}
    />
  );
