import type { Answers } from '../../client/answers.ts';
import type { Change } from '../pictures/balances-over-time.tsx';

type Balance = Answers['balances']['balances'][number];
type Transfer = Answers['transfers']['transfers'][number];
type Deposit = Answers['deposits']['deposits'][number];

interface Pictured {
  symbol: string;
  changes: Change[];
  now: Map<string, number>;
}

/** For each symbol what a picture of its balances shows. Numbers are good enough for drawing. */
export const pictured = (
  balances: readonly Balance[],
  transfers: readonly Transfer[],
  deposits: readonly Deposit[],
): Pictured[] =>
  [...new Set(balances.map(({ symbol }) => symbol))].map(symbol => {
    const own = balances.filter(each => each.symbol === symbol);
    const nameOf = (address: string) =>
      own.find(each => each.address === address)?.userId ?? address.slice(0, 12);
    return {
      symbol,
      now: new Map(own.map(({ address, value }) => [nameOf(address), Number(value)])),
      changes: [
        ...deposits
          .filter(each => each.symbol === symbol && each.status === 'CREDITED')
          .map(({ at, address, amount }) => change(at, nameOf(address), Number(amount), 'deposit')),
        ...transfers
          .filter(each => each.symbol === symbol && each.transactionStatus !== 'CANCELED')
          .map(({ createdAt, from, amount }) => change(createdAt, nameOf(from), -Number(amount), 'transfer')),
      ],
    };
  });

const change = (at: string, user: string, amount: number, what: Change['what']): Change => ({
  at: Date.parse(at),
  user,
  amount,
  what,
});
