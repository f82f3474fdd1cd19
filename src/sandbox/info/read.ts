import type { Chain } from '../../chains/port.ts';
import { ASSET_SYMBOLS, ASSETS } from '../../contract/assets.ts';
import { hasPart, PARTS } from '../../contract/parts.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { headAge } from '../chains/head.ts';
import type { Network, SandboxDeps } from '../deps.ts';

/** Everything that a first test needs: VASPs, chains and users. */
export async function readInfo(deps: SandboxDeps, caller: CallerId) {
  const { enclave, robot } = deps;
  const hasRobot = hasPart(deps.parts, 'robot');
  const embedded = ASSET_SYMBOLS.filter(symbol => deps.networks[symbol].isEmbedded).length;
  return {
    version: deps.version,
    build: deps.build,
    parts: PARTS.filter(part => hasPart(deps.parts, part)),
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
  const head = await newestBlock(network, chain);
  return {
    symbol,
    network: ASSETS[symbol].networks[0],
    name: chain.label,
    id: head ? chain.networkId : null,
    url: network.publicUrl,
    head: head?.height ?? null,
    readUpTo: deps.robot.readPosition(symbol)?.height ?? null,
    headAgeMs: headAge(head, network.isEmbedded, deps.clock.machineNow()),
    embedded: network.isEmbedded,
    explorer: network.explorer,
  };
}

/** Only by URL a call costs something: there the newest block of the last reading is enough. */
async function newestBlock({ isEmbedded, state }: Network, chain: Chain) {
  const seen = !isEmbedded && state().ok ? chain.seenHead : undefined;
  return seen ?? (await chain.head().catch(() => undefined));
}
