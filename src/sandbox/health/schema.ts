import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { calls } from '../../http/endpoint.ts';
import { HeadAge } from '../info/schema.ts';

/** `/health` */

export const ATTENTION = {
  chain: 'A chain cannot be read, was reset, or makes no blocks.',
  'low-funds': 'The treasury of the robot cannot pay what is owed.',
  'payment-unexplained': 'No transfer explains a payment of an account of the robot. The account pays nothing.',
  'wallet-stopped': 'An account of the robot has paid nothing for a minute.',
  'chain-large': 'The state of an embedded chain has become large.',
  'transfer-waiting': 'A transfer of the robot cannot be paid now.',
  'callback-given-up': 'A callback was not delivered and is not sent again.',
  'callback-failing': 'Several attempts to deliver a callback failed. More will follow.',
  'timer-failing': 'A timer of the program fails repeatedly.',
  'credit-taken-back': 'A reorganisation removed a credited payment.',
  'report-not-credited': 'A transaction that this VASP has named is not credited.',
  'deposit-ambiguous': 'A payment to the robot fits several verifications, and none has named it.',
  'deposit-unattributed': 'A payment to the robot belongs to no verification.',
  'money-unexplained': 'Money arrived at the robot, and no transaction is known that paid it.',
  'endpoint-missing': 'An address of this VASP is not configured.',
  'endpoint-down': 'This VASP did not answer the last call.',
  'fault-active': 'An ordered fault is active.',
} as const;
const whats = Object.keys(ATTENTION) as [keyof typeof ATTENTION, ...(keyof typeof ATTENTION)[]];

const Funds = named('Funds', {
  address: z.string(),
  balance: z.string().describe('The amount that the account can spend, in whole coins.'),
  isLow: z.boolean(),
  lacks: z.string().describe('The missing amount to pay everything owed and some fees, in whole coins.'),
});
export const ChainHealth = named('ChainHealth', {
  symbol: z.string(),
  network: z.string().describe('Name of the network.'),
  isEmbedded: z.boolean(),
  held: z.boolean().describe('The chain control `hold` keeps transactions out of blocks or ledgers.'),
  stateBytes: z
    .number()
    .int()
    .nullable()
    .describe('The size of an embedded chain; null: it is not embedded, or does not run.'),
  isRead: z.boolean().describe('true: the robot has read the chain up to its newest block.'),
  why: z.string().nullable().describe('Why the chain is not read; null: it is read.'),
  head: z.number().int().nullable().describe('Height of the newest block; null: the node does not answer.'),
  headAgeMs: HeadAge,
  readUpTo: z.number().int().nullable().describe('Height of the newest block that the robot has read.'),
  callBudget: z
    .object({ perMinute: z.number().int(), lastMinute: z.number().int() })
    .nullable()
    .describe('`ETH_RPC_BUDGET` and the calls of the last minute; null: the calls have no limit.'),
  funds: z
    .array(Funds)
    .describe(
      'The account of the robot that needs money. Empty on an embedded chain, which funds the robot as needed.',
    ),
});
export const Attention = named('Attention', {
  what: z.enum(whats).describe(
    Object.entries(ATTENTION)
      .map(([what, meaning]) => `- \`${what}\`: ${meaning}`)
      .join('\n'),
  ),
  text: z.string(),
  verificationUuid: z.string().optional(),
});
export const HealthResponse = named('HealthResponse', 'The readiness of the sandbox, and the attention list.', {
  ready: z.boolean(),
  missing: z.array(z.string()).describe('The missing parts, as in `/readyz`.'),
  chains: z.array(ChainHealth),
  attention: z.array(Attention).describe('The attention list, most urgent first; may be empty.'),
});

export const healthCalls = calls({ health: { response: HealthResponse } });
