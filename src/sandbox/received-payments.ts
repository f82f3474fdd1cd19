import * as z from 'zod';
import { ASSETS, addressText, isAssetSymbol } from '../contract/assets.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named, optional, text } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { formatUnits, toUnits } from '../kernel/decimal.ts';
import { pick } from '../kernel/members.ts';
import type { SandboxDeps } from './deps.ts';
import { limit, nextPage, readOnFrom } from './parameters.ts';
import type { VerificationEntry } from './verifications.ts';

export const receivedPaymentEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(receivedPaymentCalls.receivedPayments, {
    summary: 'List the payments that the robot has received, including unattributed ones',
    run({ query }, caller) {
      const { deposits, next } = deps.robot.listDeposits(query, caller);
      const payments = deposits.map(row => ({
        ...pick(row, 'symbol', 'txHash', 'status'),
        from: addressText(row.from),
        address: addressText(row.account, row.tag),
        amount: row.amount,
        vout: row.index === null ? null : String(row.index),
        ...pick(row, 'via', 'height'),
        at: toIso(row.at),
        creditedAt: row.creditedAt === null ? null : toIso(row.creditedAt),
        ...pick(row, 'verificationUuid', 'note'),
      }));
      return { payments, next };
    },
  }),
];

/** Payments to one address among which those of one amount are looked for. */
const MAX_READ = 100;
const MAX_SHOWN = 4;

export type Payment = ReturnType<SandboxDeps['robot']['listDeposits']>['deposits'][number];

/** Payments to the verified address with the verified amount that no verification has, newest first. */
export function unnamedPayments(
  { robot }: SandboxDeps,
  { role, money, symbol, amount, beneficiaryAddress }: z.output<typeof VerificationEntry>,
  caller: CallerId,
): Payment[] {
  if (role !== 'originating' || money === null || !isAssetSymbol(symbol)) return [];
  const { decimals } = ASSETS[symbol];
  const wanted = formatUnits(toUnits(amount, decimals), decimals);
  return robot
    .listDeposits({ address: beneficiaryAddress, limit: MAX_READ }, caller)
    .deposits.filter(
      payment => payment.symbol === symbol && payment.verificationUuid === null && payment.amount === wanted,
    )
    .slice(0, MAX_SHOWN);
}

/** `/received-payments` */

export const ReceivedPayment = named('ReceivedPayment', {
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
  at: Timestamp.describe('On the clock of its ledger.'),
  creditedAt: Timestamp.nullable().describe('On the clock of this VASP; null: it is not credited.'),
  verificationUuid: z.string().nullable(),
  note: z.string(),
});
export const ReceivedPaymentsResponse = named(
  'ReceivedPaymentsResponse',
  'Payments that the robot has received, newest first: those of this VASP, and those that no VASP has yet.',
  { payments: z.array(ReceivedPayment), next: nextPage('before') },
);

export const receivedPaymentCalls = calls({
  receivedPayments: {
    query: named('ReceivedPaymentsQuery', {
      address: optional(text(128)).describe(
        'Only payments to this address. With a destination tag as in the entries, `r…:7`; without one: with any tag or none.',
      ),
      limit,
      before: readOnFrom,
    }),
    response: ReceivedPaymentsResponse,
  },
});
