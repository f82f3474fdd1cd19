import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { optional, text } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { limit, nextPage, readOnFrom } from '../parameters.ts';

/** `/deposits` */

export const DepositEntry = named('DepositEntry', {
  symbol: z.string(),
  txHash: z.string(),
  status: z
    .enum(['SEEN', 'REORGANISED', 'CONFIRMED', 'UNATTRIBUTED', 'UNEXPLAINED', 'CREDITED', 'TAKEN-BACK'])
    .describe(
      'UNEXPLAINED: no plain payment delivered it. TAKEN-BACK: it was credited, and a reorganisation removed it.',
    ),
  from: z.string(),
  address: z.string(),
  amount: z.string(),
  vout: z
    .string()
    .nullable()
    .describe('D-25: position among the transfers of value of its transaction; null: the node cannot trace.'),
  via: z
    .string()
    .nullable()
    .describe('The means of delivery other than a plain payment: `contract`, or a transaction type of the XRP Ledger.'),
  height: z.number().int(),
  at: Timestamp,
  verificationUuid: z.string().nullable(),
  note: z.string(),
});
export const DepositsQuery = named('DepositsQuery', {
  address: optional(text(128)).describe(
    'Only payments to this address. With a destination tag as in the entries, `r…:7`; without one: with any tag or none.',
  ),
  limit,
  before: readOnFrom,
});
export const DepositsResponse = named(
  'DepositsResponse',
  'Payments to the robot, newest first: those of this VASP, and those that no VASP has yet.',
  { deposits: z.array(DepositEntry), next: nextPage('before') },
);

export const depositCalls = calls({ deposits: { query: DepositsQuery, response: DepositsResponse } });
