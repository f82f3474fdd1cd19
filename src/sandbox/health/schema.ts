import * as z from 'zod';

/** `/health` */

export const ATTENTION = {
  chain: 'A chain cannot be read, or started over, or makes no blocks.',
  'low-funds': 'An account of the robot cannot pay what it owes.',
  'transfer-waiting': 'A transfer of the robot cannot be sent.',
  'callback-given-up': 'A callback was not delivered, and is not tried again.',
  'callback-failing': 'Several attempts to deliver a callback have failed. It will be tried again.',
  'timer-failing': 'Work of the program fails again and again.',
  'deposit-unattributed': 'The robot was paid, and knows no verification for it.',
  'endpoint-missing': 'An address of this VASP is not configured.',
  'endpoint-down': 'This VASP did not answer when it was last called.',
  'fault-active': 'A fault was ordered and is in force.',
} as const;
const whats = Object.keys(ATTENTION) as [keyof typeof ATTENTION, ...(keyof typeof ATTENTION)[]];

const Funds = z
  .object({
    address: z.string(),
    balance: z.string().describe('What it can spend, in whole coins.'),
    isLow: z.boolean(),
  })
  .meta({ id: 'Funds' });
export const ChainHealth = z
  .object({
    symbol: z.string(),
    network: z.string().describe('Name of the network, for people.'),
    isEmbedded: z.boolean(),
    isRead: z.boolean().describe('The robot has read it up to its head.'),
    why: z.string().nullable().describe('Why it is not read; null: it is.'),
    head: z.number().int().nullable().describe('Height of the newest block; null: it does not answer now.'),
    headAgeMs: z.number().int().nullable(),
    readUpTo: z.number().int().nullable().describe('Height of the last block that was read.'),
    funds: z.array(Funds).describe('Empty on an embedded chain: there the robot is given what it needs.'),
  })
  .meta({ id: 'ChainHealth' });
export const Attention = z
  .object({
    what: z.enum(whats).describe(
      Object.entries(ATTENTION)
        .map(([what, meaning]) => `- \`${what}\`: ${meaning}`)
        .join('\n'),
    ),
    text: z.string(),
    verificationUuid: z.string().optional(),
  })
  .meta({ id: 'Attention' });
export const HealthResponse = z
  .object({
    ready: z.boolean(),
    missing: z.array(z.string()).describe('As `/readyz` says it.'),
    chains: z.array(ChainHealth),
    attention: z.array(Attention).describe('What somebody should look at; empty: nothing.'),
  })
  .meta({ id: 'HealthResponse', description: 'Whether everything is there, and what needs attention.' });
