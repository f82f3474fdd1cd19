import * as z from 'zod';

/** `/balances` */

export const BalanceEntry = z
  .object({
    userId: z.string().nullable().describe('User of the robot; null: no user has this address.'),
    symbol: z.string(),
    address: z.string(),
    credited: z.string().describe('Received from this VASP.'),
    reserved: z.string().describe('Amount of transfers that are not final yet.'),
    paidOut: z.string().describe('Amount of final transfers.'),
    value: z.string().describe('D-19: credited minus reserved minus paid out.'),
  })
  .meta({ id: 'BalanceEntry' });
export const BalancesResponse = z.object({ balances: z.array(BalanceEntry) }).meta({
  id: 'BalancesResponse',
  description: 'Every address of the robot that has paid this VASP or was paid by it.',
});
