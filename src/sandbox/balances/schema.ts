import * as z from 'zod';

/** `/balances` */

export const BalanceEntry = z
  .object({
    userId: z.string().nullable().describe('User of the robot; null: there is none with this address now.'),
    symbol: z.string(),
    address: z.string(),
    credited: z.string().describe('Received from this VASP.'),
    reserved: z.string().describe('Of transfers that are not final yet.'),
    paidOut: z.string().describe('Of transfers that are final.'),
    value: z.string().describe('D-19: credited minus reserved minus paid out.'),
  })
  .meta({ id: 'BalanceEntry' });
export const BalancesResponse = z.object({ balances: z.array(BalanceEntry) }).meta({
  id: 'BalancesResponse',
  description: 'Every address of the robot that this VASP has paid to, or was paid from.',
});
