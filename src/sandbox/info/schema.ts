import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { PARTS } from '../../contract/parts.ts';
import { VaspId } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';
import { RobotUser } from '../users/schema.ts';

/** `/info` */

export const HeadAge = z
  .number()
  .int()
  .nullable()
  .describe('Age of the newest block. 0: an embedded chain has no transaction yet. null: the node does not answer.');

const ChainInfo = z.object({
  symbol: z.string(),
  network: z.string().describe('As requests name it in `assetInfo`.'),
  name: z.string().describe('For people, for example `Sepolia` or `Ethereum (embedded)`.'),
  id: z.number().int().nullable(),
  url: z.string(),
  head: z.number().int().nullable(),
  readUpTo: z.number().int().nullable().describe('The last block or ledger that the robot has read.'),
  headAgeMs: HeadAge,
  embedded: z.boolean(),
  explorer: z
    .string()
    .nullable()
    .describe("Address of a transaction's page in an explorer, with `{hash}`; null: none is known."),
});
export const InfoResponse = named('InfoResponse', 'The VASPs, the chains and the users of the robot.', {
  version: z.string(),
  build: z.string().describe('Tells the builds of one version apart.'),
  parts: z
    .array(z.enum(PARTS))
    .describe('The parts that this process runs. Without the robot, `chains` and `users` are empty.'),
  hosted: z.boolean().describe('Many VASPs share this sandbox, each with keys of its own.'),
  retention: z
    .string()
    .nullable()
    .describe('How long final verifications are kept (`RETENTION`), for example `30d`; null: they are kept.'),
  mode: z.enum(['embedded', 'testnet', 'mixed']).describe('Where the ledgers are.'),
  robot: z.object({ vaspId: VaspId, name: z.string() }),
  vasp: z.object({ vaspId: VaspId, name: z.string() }),
  chains: z.array(ChainInfo),
  treasury: z
    .record(z.string(), z.string())
    .describe('By symbol: the one account of the robot that needs money. Only chains that are reached by URL.'),
  users: z.array(RobotUser),
});

export const infoCalls = calls({ info: { response: InfoResponse } });
