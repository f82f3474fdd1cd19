import * as z from 'zod';
import { addressText, toCoins } from '../contract/assets.ts';
import { named } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import type { SandboxDeps } from './deps.ts';

export const balanceEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(balanceCalls.balances, {
    summary: 'List the balances of this VASP at the addresses of the robot',
    async run(_, caller) {
      const users = await deps.robot.usersOf(caller);
      const balances = deps.robot.listBalances(caller).map(({ symbol, account, tag, credited, reserved, paidOut }) => {
        const text = (units: bigint) => toCoins(symbol, units);
        const address = addressText(account, tag);
        return {
          userId: users.idAt(symbol, address) ?? null,
          symbol,
          address,
          credited: text(credited),
          reserved: text(reserved),
          paidOut: text(paidOut),
          value: text(credited - reserved - paidOut),
        };
      });
      const sortKey = ({ symbol, userId, address }: (typeof balances)[number]) => `${symbol} ${userId} ${address}`;
      return { balances: balances.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) };
    },
  }),
];

/** `/balances` */

const BalanceEntry = named('BalanceEntry', {
  userId: z.string().nullable().describe('User of the robot; null: no user has this address.'),
  symbol: z.string(),
  address: z.string(),
  credited: z.string().describe('Received from this VASP.'),
  reserved: z.string().describe('Amount of transfers that are not final yet.'),
  paidOut: z.string().describe('Amount of final transfers.'),
  value: z.string().describe('D-19: credited minus reserved minus paid out.'),
});
export const BalancesResponse = named(
  'BalancesResponse',
  'Every address of the robot that has paid this VASP or was paid by it.',
  { balances: z.array(BalanceEntry) },
);

export const balanceCalls = calls({ balances: { response: BalancesResponse } });
