import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstWithin } from '../kernel/clock.ts';
import { type JsonRpc, jsonRpc, type PassCall, RpcRefusal, RpcUnreachable } from '../kernel/json-rpc.ts';
import type { Log } from '../kernel/log.ts';
import { oneAtATime } from '../kernel/turns.ts';
import { ethereumControls } from './ethereum/chain-controls.ts';
import { ethereumFaucet } from './ethereum/faucet.ts';
import { ethereumGateway } from './ethereum/gateway.ts';
import {
  freePort,
  type GuardedProcess,
  HOST,
  keepRunning,
  launch,
  type NodeSettings,
  PortTaken,
  type Running,
  StateRefused,
  StateTaken,
  watchdog,
} from './ethereum/launch.ts';
import { holds, isOnlyInState, movesHeadBack, removesBlocks, sends } from './ethereum/methods.ts';
import { allMined } from './ethereum/pool.ts';
import { type BlockFeed, blockFeed, headHash, keepSnapshots, type Snapshots, snapshot } from './ethereum/snapshots.ts';
import { type Journal, nowSeconds, type StateStore, stateFile } from './ethereum/state-file.ts';
import { ethereumSockets } from './ethereum/subscriptions.ts';

interface EthereumNodeOptions extends Pick<NodeSettings, 'chainId' | 'blockTimeSeconds' | 'onSpawned'> {
  /** File of the chain's state; undefined: it lives and dies with this process. */
  statePath: string | undefined;
  /** Phrase of the accounts that own all money. Default: a public one. */
  faucetMnemonic?: string;
  /** Default: any free one. */
  port?: number;
  log: Log;
}

/**
 * The embedded Ethereum chain: a real development node as a child process. It ends with this process in every case. It
 * is restarted on the same port when it ends by itself, and loses nothing that it has acknowledged, also when both are
 * killed at once: the last blocks are made anew then.
 */
export type EthereumNode = Awaited<ReturnType<typeof startOn>>;

const urlOf = (port: number): string => `http://${HOST}:${port}`;

/** Port and address for a node that starts later. */
export async function freeAddress(): Promise<{ port: number; url: string }> {
  const port = await freePort();
  return { port, url: urlOf(port) };
}

const STATE_FREE_WITHIN_MS = 10_000;
const END_WITHIN_MS = 5_000;
const RPC_TIMEOUT_MS = 30_000;

/** Throws when the program is missing, the port is taken, or another process uses the state. */
export async function startEthereumNode(options: EthereumNodeOptions): Promise<EthereumNode> {
  const cachePath = join(tmpdir(), `robot-vasp-${randomBytes(8).toString('hex')}`);
  const { statePath } = options;
  const store =
    statePath === undefined ? stateFile(join(cachePath, 'ethereum.json'), { isKept: false }) : stateFile(statePath);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    try {
      return await startOn(port, options, { store, cachePath });
    } catch (error) {
      if (!(error instanceof PortTaken) || options.port !== undefined || attempt === 5) throw error;
    }
  }
}

async function startOn(
  port: number,
  options: EthereumNodeOptions,
  { store, cachePath }: { store: StateStore; cachePath: string },
) {
  const url = urlOf(port);
  const blocks = blockFeed(url);
  const followers = new Set<() => Promise<void>>();
  const own = jsonRpc(url, RPC_TIMEOUT_MS);
  const calls = passing(own, store.journal, blocks, followers);
  const { pass } = calls;
  const rpc = jsonRpc(url, RPC_TIMEOUT_MS, { pass });
  const closeClients = () => Promise.all([own.close(), rpc.close()]);
  const { log, faucetMnemonic } = options;
  const files = { cachePath, dumpState: store.exitDump, pidFile: store.pidFile };
  const how: NodeSettings = {
    ...options,
    faucetMnemonic,
    port,
    ...files,
    get held() {
      return calls.isHeld();
    },
  };
  const kept = await keepRunning(() => start(how, { rpc: own, store, blocks, calls, log }), log).catch(async error => {
    blocks.close();
    await closeClients();
    throw error;
  });
  const numbered = oneAtATime();
  const gateway = ethereumGateway(url, pass, numbered);
  const sockets = ethereumSockets(url, gateway, log);
  const controls = ethereumControls(rpc, options.blockTimeSeconds, {
    remove: txHash => store.journal.drop(own, txHash),
    /** The next start of the node finds no state, and makes a new chain. */
    async startOver() {
      const restarted = once(kept.events, 'restart');
      store.startOver();
      kept.node.kill('SIGKILL');
      await restarted;
    },
  });
  return {
    url,
    /** Every call to `url` passes here, those of others too. */
    pass,
    ...ethereumFaucet(rpc, numbered, {
      minesInstantly: () => options.blockTimeSeconds === 0 && !calls.isHeld(),
      isHeld: calls.isHeld,
    }),
    /** Resolves when a block holds every transaction that was sent so far, unless the node makes no blocks at once. */
    allMined: allMined(rpc),
    /** For strangers: `url` itself passes every method. */
    gateway,
    handleUpgrade: sockets.handleUpgrade,
    /** Changes with every restart. */
    get pid() {
      return kept.node.pid;
    },
    /** Why the newest state cannot be saved, so that nothing is sent. */
    get unsaved() {
      return calls.unsaved();
    },
    /** Length of the state that was saved last. */
    get stateBytes() {
      return store.bytes();
    },
    /** The chain controls that are on, and a spike until it has passed. With `hold` no blocks are made. */
    async activeControls(): Promise<string[]> {
      const fee = await controls.spike();
      return [...(calls.isHeld() ? ['hold'] : []), ...(fee === undefined ? [] : [`fee-spike ${fee}`])];
    },
    controls,
    onBlock: blocks.onBlock,
    /** The answer to a call that moves the head back waits until `follow` has resolved. */
    onMovedBack: (follow: () => Promise<void>): void => void followers.add(follow),
    events: kept.events,
    async close(): Promise<void> {
      blocks.close();
      await sockets.close();
      await gateway.close();
      await kept.stop(node => end(node, store));
      await rm(how.cachePath, { recursive: true, force: true });
      await closeClients();
    },
  };
}

interface Surroundings extends Pick<Snapshots, 'rpc' | 'store' | 'log'> {
  blocks: BlockFeed;
  calls: Passing;
}

async function start(how: NodeSettings, { blocks, calls, ...others }: Surroundings): Promise<Running> {
  const { rpc, store, log } = others;
  const { node, isNewChain } = await launchWhenFree(how, rpc, store, log);
  try {
    const saved = await restored(rpc, store, isNewChain);
    const { onSave } = calls;
    const snapshots = keepSnapshots({ ...others, saved, onBlock: blocks.onBlock, onSave });
    const stopWatching = watchdog(urlOf(how.port), node, log);
    calls.begin(snapshots.save);
    void node.exited.then(calls.end);
    const afterwards = async () => {
      await stopWatching();
      await snapshots.stop();
      if (!node.running) store.release();
    };
    return { node, cleanUp: afterwards };
  } catch (error) {
    node.kill('SIGKILL');
    await node.exited;
    store.release();
    throw error;
  }
}

/**
 * Gives the node what it has acknowledged since its state was saved. Returns the hash of a block that the saved state
 * contains. A new chain is saved at once: readers recognise the chain by its first block.
 */
async function restored(rpc: JsonRpc, store: StateStore, isNewChain: boolean): Promise<string> {
  const loaded = await headHash(rpc);
  await setClock(rpc);
  if (isNewChain) await store.journal.clear();
  return (await store.journal.replay(rpc)) ? loaded : snapshot(rpc, store);
}

/**
 * The node's clock begins at the time of the first block: it is set to now, or behind the last block where a tester has
 * moved the time. One second more, because a second may pass between the call and the node.
 */
async function setClock(rpc: JsonRpc): Promise<void> {
  const { timestamp } = await rpc.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
  await rpc.call('evm_setTime', Math.max(nowSeconds(), Number(timestamp) + 1));
}

async function launchWhenFree(how: NodeSettings, rpc: JsonRpc, store: StateStore, log: Log) {
  for (;;) {
    await store.waitUntilFree(STATE_FREE_WITHIN_MS);
    try {
      return await launchOnBestState(how, rpc, store, log);
    } catch (error) {
      // A killed program's last node may take the state in this moment. It ends soon.
      if (!(error instanceof StateTaken)) throw error;
    }
  }
}

async function launchOnBestState(how: NodeSettings, rpc: JsonRpc, store: StateStore, log: Log) {
  const candidates = await store.candidates();
  for (const candidate of candidates) {
    try {
      const node = await launch({ ...how, genesisTime: store.genesisTime(false), loadState: candidate }, rpc);
      store.adopt(candidate);
      return { node, isNewChain: false };
    } catch (error) {
      store.release();
      if (!(error instanceof StateRefused)) throw error;
      const next = candidate === candidates.at(-1) ? 'a new chain begins' : 'an older one is tried';
      log.error({ file: candidate, error: error.message }, `the Ethereum node refused its state; ${next}`);
      store.reject(candidate);
    }
  }
  const node = await launch({ ...how, genesisTime: store.genesisTime(true) }, rpc);
  return { node, isNewChain: true };
}

/** A node whose state is kept dumps it before it ends. */
async function end(node: GuardedProcess, store: StateStore): Promise<void> {
  node.kill(store.isKept ? 'SIGTERM' : 'SIGKILL');
  const late = setTimeout(() => node.kill('SIGKILL'), END_WITHIN_MS);
  const { code } = await node.exited;
  clearTimeout(late);
  if (code === 0 && store.isKept) store.adopt(store.exitDump);
  store.release();
}

type Passing = ReturnType<typeof passing>;
type Save = () => Promise<void>;

const FOLLOWED_WITHIN_MS = 5_000;

/**
 * Every call of others to the node passes here. What the node acknowledges is on the disk before its answer is given, and
 * nothing is sent while the newest state cannot be saved.
 */
export function passing(
  rpc: JsonRpc,
  journal: Journal,
  blocks: BlockFeed,
  followers: ReadonlySet<() => Promise<void>>,
) {
  let unsaved: string | undefined;
  let isHeld = false;
  let save: Save | undefined;
  const pass: PassCall = async (call, send) => {
    const { method } = call;
    // The node may answer already. It lacks what it has acknowledged.
    if (!save) throw new RpcUnreachable('the Ethereum node is starting');
    if (unsaved && sends(method)) throw new RpcRefusal(LIMIT_EXCEEDED, notSent(unsaved));
    const saveNow = save;
    const answer = await send();
    await journal.add(call, answer, rpc).catch(cause => {
      unsaved = `what was sent before could not be kept (${cause.code ?? cause.message})`;
      throw new RpcUnreachable(unsaved, { cause });
    });
    isHeld = holds(call) ?? isHeld;
    if (removesBlocks(method)) await journal.waitAgain(rpc);
    if (isOnlyInState(method)) await saveNow();
    if (movesHeadBack(method)) {
      blocks.wakeAll();
      const followed = Promise.all([...followers].map(follow => follow()));
      await firstWithin(FOLLOWED_WITHIN_MS, [followed]);
    }
    return answer;
  };
  return {
    pass,
    unsaved: () => unsaved,
    /** The node makes no blocks by itself, whoever has ordered it, and does not after its next start. */
    isHeld: () => isHeld,
    onSave(why: string | undefined): void {
      unsaved = why;
    },
    /** The node has what it has acknowledged. */
    begin(saveState: Save): void {
      save = saveState;
    },
    end(): void {
      save = undefined;
    },
  };
}

/** A kill would lose what is sent now. */
const notSent = (why: string): string => `Nothing was sent: ${why}. Free some space, then send it again.`;
/** The robot takes it for "not now". */
const LIMIT_EXCEEDED = -32005;
