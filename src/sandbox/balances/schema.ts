import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { calls } from '../../http/endpoint.ts';

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
