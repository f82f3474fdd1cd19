import type { Answers } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { useTexts } from '../texts/languages.ts';
import { UserLink } from './user-link.tsx';

type Balance = Answers['balances']['balances'][number];
type Figure = 'credited' | 'reserved' | 'paidOut' | 'value';

const figure = (head: string, name: Figure): Column<Balance> => ({
  head,
  numeric: true,
  cell: row => (name === 'value' ? <strong>{row[name]}</strong> : row[name]),
});

export const Balances = ({ rows }: { rows: readonly Balance[] }) => {
  const { money, list } = useTexts();
  return (
    <DataTable
      empty={money.noBalance}
      caption={money.balancesCaption}
      rows={rows}
      idOf={({ symbol, address }) => `balance-${symbol}-${address.replace(':', '_')}`}
      columns={[
        { head: list.user, cell: ({ userId }) => <UserLink id={userId} /> },
        { head: list.symbol, cell: ({ symbol }) => symbol },
        { head: money.address, cell: ({ address }) => <Copyable text={address} ends={10} /> },
        figure(money.credited, 'credited'),
        figure(money.reserved, 'reserved'),
        figure(money.paidOut, 'paidOut'),
        figure(money.balance, 'value'),
      ]}
    />
  );
};
