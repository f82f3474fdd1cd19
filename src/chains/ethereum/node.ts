import { elapsedMs, sleep } from '../../kernel/clock.ts';
import { jsonRpc, type PassCall, RpcRefusal, RpcUnreachable } from '../../kernel/json-rpc.ts';
import { ChainRefused, ChainUnreachable } from '../port.ts';

/** The calls of the adapter to an Ethereum node. Numbers on this wire are 0x-hex. */
export type EthereumNode = ReturnType<typeof ethereumNode>;
type Which = number | 'latest' | 'safe' | 'finalized';

export interface Block {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  gasUsed: string;
  gasLimit: string;
  baseFeePerGas?: string;
}
export interface FullBlock extends Block {
  /** Of a block with Amsterdam rules. */
  blockAccessListHash?: string;
  transactions: BlockTransaction[];
  /** Payments of the consensus layer: they raise a balance without a transaction. `amount` in gwei. */
  withdrawals?: { address: string; amount: string }[];
}
export interface BlockTransaction {
  hash: string;
  from: string;
  /** Absent: it creates a contract. */
  to?: string;
  value: string;
  input?: string;
  nonce: string;
  gas: string;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
}
export interface Receipt {
  blockNumber: string;
  blockHash: string;
  status: string;
  gasUsed: string;
  /** Absent on nodes before London. */
  effectiveGasPrice?: string;
  logs: Log[];
}
export interface Log {
  address: string;
  topics: string[];
  data: string;
  transactionHash: string;
}

/** Some nodes state what is missing as null, others leave it out, as here. */
function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)])) as T;
}

/** Chain ids of main networks: the robot never moves real money. */
const MAIN_NETWORKS: readonly number[] = [1];

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** Codes that mean "not now": limit exceeded, and the HTTP codes that some providers put there. Others only say so. */
const BUSY = new Set([-32005, 429, 502, 503, 504]);
const SAYS_BUSY = /rate.?limit|too many requests|request limit|requests per second/i;
const isBusy = ({ code, message }: RpcRefusal): boolean => BUSY.has(code) || SAYS_BUSY.test(message);

const refusalAsUnreachable = (method: string) => (error: unknown) => {
  if (!(error instanceof RpcRefusal)) throw error;
  const { message, code, retryAfterMs } = error;
  throw new ChainUnreachable(`${method}: ${message} (${code})`, { cause: error, retryAfterMs });
};

function throwChainError(method: string, error: unknown): never {
  if (error instanceof RpcUnreachable)
    throw new ChainUnreachable(error.message, { cause: error, retryAfterMs: error.retryAfterMs });
  if (error instanceof RpcRefusal && isBusy(error)) refusalAsUnreachable(method)(error);
  throw error;
}

function requireChain(found: number, chainId: number): void {
  if (MAIN_NETWORKS.includes(found)) throw new ChainRefused(`chain id ${found} is a main network`);
  if (found !== chainId) throw new ChainRefused(`the node's chain id is ${found}, not ${chainId}`);
}

const blockParameter = (which: Which) => (typeof which === 'number' ? hex(which) : which);

/** Checks the chain id at first and after a connection was lost. `onCall` hears of every call and may hold it back. */
export function ethereumNode(
  url: string,
  chainId: number,
  timeoutMs: number,
  onCall: (method: string) => Promise<void>,
  pass?: PassCall,
) {
  let isIdentified = false;
  const onReconnect = () => {
    isIdentified = false;
  };
  const rpc = jsonRpc(url, timeoutMs, { onReconnect, pass });
  let checking: Promise<void> | undefined;

  const raw = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    await onCall(method);
    return rpc.call<T>(method, ...params).catch(error => {
      // The transport failed: the next connection may lead to another node.
      if (error instanceof RpcUnreachable && error.cause) isIdentified = false;
      return throwChainError(method, error);
    });
  };
  const check = async () => {
    isIdentified = false;
    const found = Number(await raw<string>('eth_chainId').catch(refusalAsUnreachable('eth_chainId')));
    requireChain(found, chainId);
    isIdentified = true;
  };
  const identify = async () => {
    if (isIdentified) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
  };
  // Checked again after the call: the call itself may have opened a connection to another node.
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    await identify();
    const answer = await raw<T>(method, ...params).catch(async error => {
      if (error instanceof RpcRefusal) await identify();
      throw error;
    });
    await identify();
    return answer;
  };
  const call = <T>(method: string, ...params: unknown[]): Promise<T> =>
    ask<T>(method, ...params).catch(refusalAsUnreachable(method));
  const read = async <T>(method: string, ...params: unknown[]): Promise<T> =>
    withoutNulls(await call<T>(method, ...params));
  return {
    /** The `result` of one call. Throws `ChainUnreachable`, also when the node refuses. */
    call,
    /** The same for methods whose refusal is an answer: throws `RpcRefusal` for it. */
    ask,
    /** Throws `ChainRefused` unless the node has the configured chain id. */
    check,
    /** Null: the node has no such block. */
    block: (which: Which) => read<Block | null>('eth_getBlockByNumber', blockParameter(which), false),
    fullBlock: (which: Which) => read<FullBlock | null>('eth_getBlockByNumber', blockParameter(which), true),
    transaction: (txHash: string) => read<BlockTransaction | null>('eth_getTransactionByHash', txHash),
    receipt: (txHash: string) => read<Receipt | null>('eth_getTransactionReceipt', txHash),
    close: rpc.close,
  };
}

/** A gateway that does not offer a method may answer one of these, with a page of text. */
const BARRED = new Set([400, 401, 403, 404, 405, 501]);

/** The answer to a call of a method that not every node offers. Undefined: this one refuses. Throws `ChainUnreachable`. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcRefusal || isBarred(error)) return undefined;
    throw error;
  }
}

function isBarred(error: unknown): boolean {
  const cause = error instanceof ChainUnreachable ? error.cause : undefined;
  return cause instanceof RpcUnreachable && BARRED.has(cause.httpStatus ?? 0);
}

/** A node that failed or lags is left for this long. */
const COOLDOWN_MS = 30_000;
const COMPARE_HEADS_EVERY_MS = 30_000;
const MAX_BLOCKS_BEHIND = 3;
/** Of a node whose next block is overdue. */
const MAX_BLOCKS_BEHIND_OVERDUE = 1;

export type EthereumNodes<Node extends { node: EthereumNode }> = Pick<
  ReturnType<typeof ethereumNodes<Node>>,
  'ask' | 'decide'
>;

/**
 * The configured nodes, in order of preference. Every decision is made with one node: when it fails there, it is
 * made again as a whole with the next node.
 */
export function ethereumNodes<Node extends { node: EthereumNode }>(nodes: readonly Node[]) {
  const leftUntil = new Map<Node, number>();
  let comparedAt = Number.NEGATIVE_INFINITY;
  const isLeft = (node: Node) => (leftUntil.get(node) ?? 0) > elapsedMs();
  const leave = (node: Node, forMs = COOLDOWN_MS) => void leftUntil.set(node, elapsedMs() + forMs);
  const inOrder = () => {
    const left = new Set(nodes.filter(isLeft));
    return [...nodes.filter(node => !left.has(node)), ...left];
  };

  /** Throws the last node's `ChainUnreachable` when all of them fail; every other error at once. */
  async function decide<T>(decision: (node: Node) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const node of inOrder())
      try {
        return await decision(node);
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error;
        leave(node, error.retryAfterMs);
        failure = error;
      }
    throw failure;
  }

  return {
    decide,
    /** The same for a decision that takes only the node. */
    ask: <T>(decision: (node: EthereumNode) => Promise<T>) => decide(({ node }) => decision(node)),
    /**
     * Leaves a node whose head is behind those of the others. Asks them once in 30 seconds, and always when the next
     * block is overdue.
     */
    async compareHeads(node: Node, height: number, isOverdue: boolean): Promise<void> {
      if (nodes.length === 1) return;
      if (!isOverdue && elapsedMs() - comparedAt < COMPARE_HEADS_EVERY_MS) return;
      comparedAt = elapsedMs();
      const others = nodes.filter(other => other !== node);
      const heights = await Promise.all(
        others.map(other => other.node.call<string>('eth_blockNumber').then(Number, () => 0)),
      );
      const maxBehind = isOverdue ? MAX_BLOCKS_BEHIND_OVERDUE : MAX_BLOCKS_BEHIND;
      if (Math.max(...heights) > height + maxBehind) leave(node);
    },
    close: async () => void (await Promise.all(nodes.map(({ node }) => node.close()))),
  };
}

const MINUTE_MS = 60_000;
/** The part of a minute's calls that may go out at once. */
const BURST_SHARE = 0.2;
const LONGEST_WAIT_MS = 2_000;

/** The part of the calls that go out at once, and of those of a minute, that is left to the robot itself. */
const OF_THE_ROBOT = 0.5;

/**
 * No minute has more calls than `perMinute`, which is at least 2. The robot's own reading and paying comes first: what is
 * asked on behalf of VASPs has the other half, of which each VASP that asks has an equal share, at most a half.
 */
export function callBudget(perMinute: number) {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE));
  const intervalMs = MINUTE_MS / (perMinute - burst);
  const sent = sentWithin(MINUTE_MS);
  const ofVasps = new Map<string, ReturnType<typeof sentWithin>>();
  let nextAt = Number.NEGATIVE_INFINITY;

  const refuse = (waitMs: number, why = '') => {
    throw new ChainUnreachable(`the calls of this minute are used up${why} (ETH_RPC_BUDGET=${perMinute})`, {
      retryAfterMs: waitMs,
    });
  };
  function requireShare(vaspId: string, now: number): void {
    for (const [each, its] of ofVasps) if (its.count() === 0) ofVasps.delete(each);
    const own = ofVasps.get(vaspId) ?? sentWithin(MINUTE_MS);
    ofVasps.set(vaspId, own);
    const share = (perMinute * (1 - OF_THE_ROBOT)) / Math.max(2, ofVasps.size);
    if (own.count() + 1 > Math.max(1, share)) refuse(own.freesInMs(), ' by this VASP');
    const waitMs = nextAt - (now - burst * OF_THE_ROBOT * intervalMs);
    if (waitMs > 0) refuse(Math.ceil(waitMs), ' but for the robot itself');
    own.note();
  }
  /** Resolves when a call may go out. `vaspId`: on whose behalf. Throws `ChainUnreachable` when that is too far away. */
  async function take(vaspId?: string): Promise<void> {
    const now = elapsedMs();
    if (vaspId !== undefined) requireShare(vaspId, now);
    const at = Math.max(nextAt, now - (burst - 1) * intervalMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > LONGEST_WAIT_MS) refuse(waitMs);
    nextAt = at + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
    sent.note();
  }
  return { perMinute, lastMinute: sent.count, take };
}

/** Counts what was sent within the last `ms`. */
function sentWithin(ms: number) {
  let times: number[] = [];
  const count = (): number => {
    const since = elapsedMs() - ms;
    const first = times.findIndex(at => at > since);
    times = first === -1 ? [] : times.slice(first);
    return times.length;
  };
  return {
    count,
    note: () => void times.push(elapsedMs()),
    freesInMs: (): number => Math.ceil((times[0] ?? 0) + ms - elapsedMs()),
  };
}
