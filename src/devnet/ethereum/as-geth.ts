import { hex } from './chain-controls.ts';
import { refusedByPool, type Waiting } from './pool-rules.ts';

/** Real wallets meet geth. What it refuses, and the embedded node does not, is refused here with its codes and words. */
export interface NodeError {
  code: number;
  message: string;
  data?: unknown;
}
/** The result of a call of the node. Undefined: an error. */
export type Ask = <T>(method: string, ...params: unknown[]) => Promise<T | undefined>;

const INVALID_PARAMS = -32602;
const SERVER_ERROR = -32000;

export async function refusedByGeth(
  { method, params }: { method: string; params?: unknown },
  ask: Ask,
): Promise<NodeError | undefined> {
  const [first, second] = Array.isArray(params) ? params : [];
  switch (method) {
    case 'eth_sendRawTransaction':
    case 'eth_sendRawTransactionSync':
      return noHex(first, 'hexutil.Bytes') ?? serverError(await refusedByPool(first, poolBy(ask)));
    case 'eth_getTransactionByHash':
    case 'eth_getTransactionReceipt':
      return noHex(first, 'common.Hash');
    case 'debug_traceTransaction':
      return (await ask('eth_getTransactionByHash', first)) === null ? NOT_FOUND : undefined;
    case 'eth_getLogs':
      return refusedRange(first, ask);
    case 'eth_feeHistory': {
      const newest = heightIn(second);
      const head = newest === undefined ? undefined : await headOf(ask);
      if (newest === undefined || head === undefined || newest <= head) return undefined;
      return serverError(`request beyond head block: requested ${newest}, head ${head}`);
    }
    default:
      return undefined;
  }
}

const serverError = (message: string | undefined): NodeError | undefined =>
  message === undefined ? undefined : { code: SERVER_ERROR, message };
const NOT_FOUND = { code: SERVER_ERROR, message: 'transaction not found' };

/** `type`: that of the argument in geth. */
function noHex(value: unknown, type: string): NodeError | undefined {
  const problem =
    typeof value !== 'string' || value === ''
      ? undefined
      : !value.startsWith('0x')
        ? 'without 0x prefix'
        : value.length % 2 === 1
          ? 'of odd length'
          : undefined;
  return problem === undefined
    ? undefined
    : {
        code: INVALID_PARAMS,
        message: `invalid argument 0: json: cannot unmarshal hex string ${problem} into Go value of type ${type}`,
      };
}

const poolBy = (ask: Ask) => ({
  chainId: () => ask<string>('eth_chainId'),
  find: (sender: string, nonce: number) =>
    ask<Waiting | null>('eth_getTransactionBySenderAndNonce', sender, hex(nonce)),
});

/** A range of logs that is upside down, or ends beyond the head, has an error and no empty list. */
async function refusedRange(filter: unknown, ask: Ask): Promise<NodeError | undefined> {
  const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: unknown; toBlock?: unknown };
  const invalid = (message: string) => ({ code: INVALID_PARAMS, message });
  if (fromBlock === 'pending' || toBlock === 'pending') return invalid('pending logs are not supported');
  const to = heightIn(toBlock);
  const head = to === undefined ? undefined : await headOf(ask);
  if (to === undefined || head === undefined) return undefined;
  const from = fromBlock === 'latest' ? head : (heightIn(fromBlock) ?? 0);
  if (from > to) return invalid('invalid block range params');
  return to > head ? invalid('block range extends beyond current head block') : undefined;
}

/** Of the logs that a stranger asks for at once. */
const MAX_LOGGED_BLOCKS = 1_000;

/** The node reads block after block, while those who share it wait. */
export async function refusedLogs(filter: unknown, ask: Ask): Promise<NodeError | undefined> {
  const { blockHash, fromBlock, toBlock } = (filter ?? {}) as Record<string, unknown>;
  const head = blockHash === undefined ? await headOf(ask) : undefined;
  if (head === undefined) return undefined;
  const blocks = Math.min(heightIn(toBlock) ?? head, head) - (heightIn(fromBlock) ?? head) + 1;
  return blocks > MAX_LOGGED_BLOCKS ? { code: LIMIT_EXCEEDED, message: manyBlocks(blocks) } : undefined;
}

const LIMIT_EXCEEDED = -32005;
const manyBlocks = (blocks: number): string =>
  `Several VASPs share this chain: ask for the logs of at most ${MAX_LOGGED_BLOCKS} blocks at once, not of ${blocks}. Set fromBlock and toBlock, and go on after toBlock.`;

const heightIn = (block: unknown): number | undefined =>
  block === 'earliest' ? 0 : typeof block === 'string' && /^0x[0-9a-f]{1,13}$/i.test(block) ? Number(block) : undefined;

async function headOf(ask: Ask): Promise<number | undefined> {
  const height = await ask<string>('eth_blockNumber');
  return height === undefined ? undefined : Number(height);
}

const REJECTED = -32003;
const WORDS: readonly [node: RegExp, geth: string][] = [
  [/^transaction already imported$/i, 'already known'],
  [/^insufficient funds for gas \* price \+ value/i, 'insufficient funds for gas * price + value'],
  [/tx\.gas_limit > env\.block\.gas_limit/, 'exceeds block gas limit'],
];

/** Clients compare these texts. */
export function inWordsOfGeth({ code, message, ...rest }: NodeError): NodeError {
  const [outside, height, requested] = OUTSIDE.exec(message) ?? [];
  if (outside !== undefined)
    return {
      code: SERVER_ERROR,
      message: Number(requested) > Number(height) ? 'header not found' : 'historical state is not available',
    };
  const words = WORDS.find(([node]) => node.test(message))?.[1] ?? message;
  return { code: code === REJECTED ? SERVER_ERROR : code, message: words, ...rest };
}
/** A block beyond the head, or one whose state the node no longer has. */
const OUTSIDE = /BlockOutOfRangeError: block height is (\d+) but requested was (\d+)/;

/** `eth_feeHistory` from the blocks themselves: the node's own list lacks those before its start, and some of the newest. */

interface Block {
  number: string;
  baseFeePerGas: string;
  gasLimit: string;
  gasUsed: string;
  transactions: string[];
}
interface Receipt {
  gasUsed: string;
  effectiveGasPrice: string;
}

/** Undefined: the node has no such block, or does not answer. */
export async function feeHistory(
  [count, newest, percentiles]: readonly unknown[],
  ask: Ask,
): Promise<object | undefined> {
  const blockAt = (which: unknown) => ask<Block | null>('eth_getBlockByNumber', which, false);
  const last = await blockAt(newest === 'pending' ? 'latest' : newest);
  if (!last) return undefined;
  const number = Number(last.number);
  const length = Math.trunc(Math.min(Number(count), number + 1));
  if (!(length > 0)) return undefined;
  const numbers = Array.from({ length }, (_, i) => number - length + 1 + i);
  const blocks = await Promise.all(numbers.map(each => blockAt(hex(each))));
  const next = (await blockAt(hex(number + 1))) ?? (await blockAt('pending'));
  if (!next || !blocks.every(block => !!block)) return undefined;
  const asked = Array.isArray(percentiles) ? (percentiles as number[]) : [];
  const reward = asked.length > 0 && (await Promise.all(blocks.map(block => rewardsOf(block, asked, ask))));
  return {
    oldestBlock: hex(numbers[0]!),
    baseFeePerGas: [...blocks, next].map(({ baseFeePerGas }) => baseFeePerGas),
    gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    ...(reward ? { reward } : {}),
  };
}

/** The tips of a block, by the share of its gas that paid at most that much. */
async function rewardsOf(block: Block, percentiles: readonly number[], ask: Ask): Promise<string[]> {
  const receipts =
    (block.transactions.length > 0 && (await ask<Receipt[]>('eth_getBlockReceipts', block.number))) || [];
  const paid = receipts
    .map(({ effectiveGasPrice, gasUsed }) => ({
      tip: BigInt(effectiveGasPrice) - BigInt(block.baseFeePerGas),
      gas: Number(gasUsed),
    }))
    .sort((one, other) => (one.tip < other.tip ? -1 : 1));
  return percentiles.map(percentile => {
    let left = (Number(block.gasUsed) * percentile) / 100;
    const found = paid.find(({ gas }) => {
      left -= gas;
      return left <= 0;
    });
    return hex(found?.tip ?? paid.at(-1)?.tip ?? 0n);
  });
}
