import * as z from 'zod';
import { ASSETS, addressText } from '../contract/assets.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { formatUnits } from '../kernel/decimal.ts';
import type { SandboxDeps } from './deps.ts';

export const balanceEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(balanceCalls.balances, {
    summary: 'List the balances of this VASP at the addresses of the robot',
    run: (_, caller) => listBalances(deps, caller),
  }),
];

/** D-19: for every address of the robot with payments from or to this VASP. */
async function listBalances(deps: SandboxDeps, vaspId: CallerId) {
  const users = await deps.robot.usersOf(vaspId);
  const balances = deps.robot.listBalances(vaspId).map(({ symbol, account, tag, credited, reserved, paidOut }) => {
    const text = (units: bigint) => formatUnits(units, ASSETS[symbol].decimals);
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
}

/** `/balances` */

export const BalanceEntry = named('BalanceEntry', {
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
