import * as z from 'zod';
import { ASSET_SYMBOLS, ASSETS } from '../contract/assets.ts';
import { type CallerId, hasRole, ROLES } from '../contract/tenancy.ts';
import { named, VaspId } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { formatDuration } from '../kernel/duration.ts';
import { headAge } from './chains.ts';
import type { SandboxDeps } from './deps.ts';
import { RobotUser } from './users.ts';

export const infoEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(infoCalls.info, {
    access: 'vasp or operator',
    summary: 'Read the VASPs, the chains and the users with their addresses',
    run: (_, caller) => readInfo(deps, caller),
  }),
];

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
  roles: z
    .array(z.enum(ROLES))
    .describe('The roles that this process has. Without the robot, `chains` and `users` are empty.'),
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

/** Everything that a first test needs: VASPs, chains and users. */
export async function readInfo(deps: SandboxDeps, caller: CallerId) {
  const { enclave, robot } = deps;
  const hasRobot = hasRole(deps.roles, 'robot');
  const embedded = ASSET_SYMBOLS.filter(symbol => deps.networks[symbol].isEmbedded).length;
  return {
    version: deps.version,
    build: deps.build,
    roles: ROLES.filter(role => hasRole(deps.roles, role)),
    hosted: deps.isHosted,
    retention: deps.retentionMs === 0 ? null : formatDuration(deps.retentionMs),
    mode: embedded === ASSET_SYMBOLS.length ? 'embedded' : embedded === 0 ? 'testnet' : 'mixed',
    robot: { vaspId: robot.vaspId, name: enclave.vaspName(robot.vaspId) },
    vasp: { vaspId: caller, name: enclave.vaspName(caller) },
    chains: hasRobot ? await Promise.all(ASSET_SYMBOLS.map(symbol => chainInfo(deps, symbol))) : [],
    treasury: await treasuries(deps),
    users: hasRobot ? (await robot.usersOf(caller)).all() : [],
  } as const;
}

async function treasuries({ networks }: SandboxDeps): Promise<Record<string, string>> {
  const accounts = await Promise.all(
    ASSET_SYMBOLS.map(async symbol => [symbol, await networks[symbol].treasury()] as const),
  );
  return Object.fromEntries(accounts.flatMap(([symbol, account]) => (account ? [[symbol, account]] : [])));
}

async function chainInfo(deps: SandboxDeps, symbol: (typeof ASSET_SYMBOLS)[number]) {
  const network = deps.networks[symbol];
  const chain = await network.chain();
  const { isEmbedded } = network;
  // Only by URL a call costs something: there the newest block of the last reading is enough.
  const seen = !isEmbedded && network.state().ok ? chain.seenHead : undefined;
  const head = seen ?? (await chain.head().catch(() => undefined));
  return {
    symbol,
    network: ASSETS[symbol].networks[0],
    name: chain.label,
    id: head ? chain.networkId : null,
    url: network.publicUrl,
    head: head?.height ?? null,
    readUpTo: deps.robot.readPosition(symbol)?.height ?? null,
    headAgeMs: headAge(head, isEmbedded, deps.clock.machineNow()),
    embedded: isEmbedded,
    explorer: network.explorer,
  };
}
