import * as z from 'zod';
import { addressText } from '../contract/assets.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named, optional, text } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';
import { limit, nextPage, readOnFrom } from './parameters.ts';

export const depositEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(depositCalls.deposits, {
    summary: 'List the payments to the robot, including unattributed ones',
    run: ({ query }, caller) => listDeposits(deps, query, caller),
  }),
];

/** D-18: payments to the robot. Every VASP sees unattributed deposits: they belong to none yet. */
function listDeposits(deps: SandboxDeps, query: z.output<typeof DepositsQuery>, vaspId: CallerId) {
  const { deposits, next } = deps.robot.listDeposits(query, vaspId);
  return {
    deposits: deposits.map(row => ({
      symbol: row.symbol,
      txHash: row.txHash,
      status: row.status,
      from: addressText(row.from),
      address: addressText(row.account, row.tag),
      amount: row.amount,
      vout: row.index === null ? null : String(row.index),
      via: row.via,
      height: row.height,
      at: toIso(row.at),
      verificationUuid: row.verificationUuid,
      note: row.note,
    })),
    next,
  };
}

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
