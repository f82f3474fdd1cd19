import type { Transaction } from 'ethers/transaction';
import { hex } from './chain-controls.ts';

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
      return noHex(first, 'hexutil.Bytes') ?? serverError(await refusedByPool(first, ask));
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
  if (typeof value !== 'string' || value === '') return undefined;
  const problem = value.startsWith('0x') ? value.length % 2 === 1 && 'of odd length' : 'without 0x prefix';
  const message = `invalid argument 0: json: cannot unmarshal hex string ${problem} into Go value of type ${type}`;
  return problem ? { code: INVALID_PARAMS, message } : undefined;
}

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

/** The waiting transaction of a sender with this nonce, as the node shows it. */
interface Waiting {
  hash: string;
  blockHash: string | null;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
}

const MAX_BYTES = 128 * 1024;
/** EIP-3860. */
const MAX_INIT_CODE = 49_152;
/** EIP-7825. */
const MAX_GAS = 2n ** 24n;

/**
 * Why geth does not take a signed transaction that the embedded node takes, in the words of geth. Blobs take long to parse.
 */
async function refusedByPool(raw: unknown, ask: Ask): Promise<string | undefined> {
  if (typeof raw !== 'string' || raw.startsWith(BLOBS)) return undefined;
  const transaction = await parsed(raw);
  const chainId = () => ask<string>('eth_chainId');
  // The node takes some of them, and never mines them.
  if (!transaction?.isSigned())
    return transaction?.type === 0 && transaction.chainId > 0n
      ? unsigned(transaction, await chainId())
      : undecodable(raw);
  return (
    brokenForm(transaction, raw) ??
    wrongChain(transaction, await chainId()) ??
    badSignature(transaction) ??
    missingGas(transaction) ??
    brokenBid(transaction) ??
    (await outbid(transaction, ask)) ??
    (await overdrawn(transaction, ask))
  );
}

async function parsed(raw: string): Promise<Transaction | undefined> {
  const { Transaction } = await import('ethers/transaction');
  try {
    return Transaction.from(raw);
  } catch {
    return undefined;
  }
}

function brokenForm(transaction: Transaction, raw: string): string | undefined {
  const { type, to, gasLimit, data, signature } = transaction;
  const fee = (transaction.maxFeePerGas ?? transaction.gasPrice!) * gasLimit;
  if (fee > MAX_FEE) return `tx fee (${inEther(fee)} ether) exceeds the configured cap (1.00 ether)`;
  // EIP-155: without a chain id it could be sent again on every chain.
  if (type === 0 && signature?.legacyChainId === null)
    return 'only replay-protected (EIP-155) transactions allowed over RPC';
  const bytes = raw.length / 2 - 1;
  if (bytes > MAX_BYTES) return `oversized data: transaction size ${bytes}, limit ${MAX_BYTES}`;
  const code = to === null ? data.length / 2 - 1 : 0;
  if (code > MAX_INIT_CODE) return `max initcode size exceeded: code size ${code} limit ${MAX_INIT_CODE}`;
  if (gasLimit > MAX_GAS) return `transaction gas limit too high (cap: ${MAX_GAS}, tx: ${gasLimit})`;
  return undefined;
}

function brokenBid(transaction: Transaction): string | undefined {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, authorizationList } = transaction;
  if (maxFeePerGas !== null && maxPriorityFeePerGas! > maxFeePerGas)
    return 'max priority fee per gas higher than max fee per gas';
  // No builder of blocks gains by it.
  if ((maxPriorityFeePerGas ?? gasPrice) === 0n)
    return 'transaction gas price below minimum: gas tip cap 0, minimum needed 1';
  // EIP-7702. The embedded node takes it, and never mines it.
  if (type === 4 && !authorizationList?.length) return 'set code tx must have at least one authorization tuple';
  return undefined;
}

/** As configured in geth. A price in another unit is a thousand times too high. */
const MAX_FEE = 10n ** 18n;
const inEther = (wei: bigint): string => (Number(wei) / 1e18).toFixed(2);

/** Of the curve secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** EIP-2: `s` is in the lower half. The embedded node takes another one, for an account that nobody has. */
function badSignature({ signature }: Transaction): string | undefined {
  const [r, s] = [BigInt(signature!.r), BigInt(signature!._s)];
  return r > 0n && r < ORDER && s > 0n && s <= ORDER / 2n
    ? undefined
    : 'invalid sender: invalid transaction v, r, s values';
}

/** The embedded node takes one without a type, whatever its chain. */
const wrongChain = ({ chainId: have }: Pick<Transaction, 'chainId'>, want: string | undefined): string | undefined =>
  want === undefined || have === BigInt(want)
    ? undefined
    : `invalid sender: invalid chain id for signer: have ${have} want ${BigInt(want)}`;

/** EIP-155: what is to be signed has the id of the chain where the signature has `v`. */
const unsigned = ({ chainId }: Transaction, want: string | undefined): string | undefined =>
  wrongChain({ chainId: (chainId - 35n) / 2n }, want);

const BLOBS = '0x03';
/** A replacement bids 10 % more in both parts of the price. */
const BUMP = { numerator: 11n, denominator: 10n };

async function outbid(transaction: Transaction, ask: Ask): Promise<string | undefined> {
  const { from, nonce, hash } = transaction;
  const waiting = await ask<Waiting | null>('eth_getTransactionBySenderAndNonce', from, hex(nonce));
  if (!waiting || waiting.blockHash !== null || waiting.hash === hash) return undefined;
  const bids = [
    [transaction.maxFeePerGas ?? transaction.gasPrice, waiting.maxFeePerGas ?? waiting.gasPrice],
    [transaction.maxPriorityFeePerGas ?? transaction.gasPrice, waiting.maxPriorityFeePerGas ?? waiting.gasPrice],
  ] as const;
  const isEnough = bids.every(([bid, former]) => bid! * BUMP.denominator >= BigInt(former!) * BUMP.numerator);
  return isEnough ? undefined : 'replacement transaction underpriced';
}

interface Costly {
  value: string;
  gas: string;
  gasPrice?: string;
  maxFeePerGas?: string;
}
const costOf = ({ value, gas, gasPrice, maxFeePerGas }: Costly): bigint =>
  BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice!);

/**
 * The account pays all that waits, too. The embedded node takes each one that the account could pay by itself, and loses
 * those for which nothing is left. The balance is read first: a block between both would count twice.
 */
async function overdrawn(transaction: Transaction, ask: Ask): Promise<string | undefined> {
  const { from, nonce, value, gasLimit, gasPrice, maxFeePerGas } = transaction;
  const sizes = await ask<{ pending: string }>('txpool_status');
  if (!Number(sizes?.pending)) return undefined;
  const balance = BigInt((await ask<string>('eth_getBalance', from, 'latest')) ?? 0);
  const pool = await ask<{ pending: Record<string, Record<string, Costly>> }>('txpool_content');
  const { [nonce]: former, ...others } = pool?.pending[from!.toLowerCase()] ?? {};
  const rest = Object.values(others).reduce((sum, each) => sum + costOf(each), 0n);
  const cost = value + gasLimit * (maxFeePerGas ?? gasPrice!);
  // Without others the node itself looks.
  if (rest === 0n || balance >= rest + cost) return undefined;
  const replaced = former ? costOf(former) : 0n;
  const added = former ? `tx bumped ${cost - replaced}` : `tx cost ${cost}`;
  return `insufficient funds for gas * price + value: balance ${balance}, queued cost ${rest + replaced}, ${added}, overshot ${rest + cost - balance}`;
}

/** Gas that a transaction pays before its code runs. `create`: that of one without a recipient. */
const GAS = { call: 21_000, create: 53_000, word: 2, address: 2_400, key: 1_900, authorization: 25_000 };
const BYTE = { zero: 4, other: 16 };
/** EIP-7623: the least for data, whatever its code takes. */
const FLOOR = { zero: 10, other: 40 };
const WORD_BYTES = 32;

/** The embedded node takes a transaction with less gas, and loses it. In the words of geth; undefined: it is enough. */
function missingGas({ to, gasLimit, data, accessList, authorizationList }: Transaction): string | undefined {
  const bytes = data.length / 2 - 1;
  const zero = (data.slice(2).match(/../g) ?? []).filter(byte => byte === '00').length;
  const dataBy = (gas: typeof BYTE): number => zero * gas.zero + (bytes - zero) * gas.other;
  const start = to === null ? GAS.create + Math.ceil(bytes / WORD_BYTES) * GAS.word : GAS.call;
  const keys = (accessList ?? []).reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const lists =
    (accessList?.length ?? 0) * GAS.address + keys * GAS.key + (authorizationList?.length ?? 0) * GAS.authorization;
  const intrinsic = start + dataBy(BYTE) + lists;
  const floor = GAS.call + dataBy(FLOOR);
  if (gasLimit < intrinsic) return `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsic}`;
  if (gasLimit < floor) return `insufficient gas for floor data gas cost: gas ${gasLimit}, minimum needed ${floor}`;
  return undefined;
}

/** Type -> its name in the messages of geth, and the number of its fields with the signature. */
const TYPES: Readonly<Record<number, { name: string; fields: number }>> = {
  0: { name: 'LegacyTx', fields: 9 },
  1: { name: 'AccessListTx', fields: 11 },
  2: { name: 'DynamicFeeTx', fields: 12 },
  4: { name: 'SetCodeTx', fields: 13 },
};
const IS_BYTES = /^0x(?:[0-9a-f]{2})*$/i;
/** Above it a first byte begins a list of RLP: a transaction without a type. */
const LAST_TYPE = 0x7f;

/** Why the bytes are no transaction, in the words of geth where it has one. Undefined: they are no bytes. */
async function undecodable(raw: string): Promise<string | undefined> {
  if (!IS_BYTES.test(raw)) return undefined;
  const first = Number(raw.slice(0, 4));
  const isLegacy = raw.length > 2 && first > LAST_TYPE;
  if (!isLegacy && raw.length <= 4) return 'typed transaction too short';
  const type = TYPES[isLegacy ? 0 : first];
  if (!type) return 'transaction type not supported';
  const { decodeRlp, isError } = await import('ethers/utils');
  try {
    const fields = decodeRlp(isLegacy ? raw : `0x${raw.slice(4)}`);
    if (!Array.isArray(fields)) return `rlp: expected input list for types.${type.name}`;
    if (fields.length < type.fields) return `rlp: too few elements for types.${type.name}`;
    if (fields.length > type.fields) return `rlp: input list has too many elements for types.${type.name}`;
    return `rlp: a field of types.${type.name} cannot be decoded`;
  } catch (error) {
    return isError(error, 'INVALID_ARGUMENT')
      ? 'rlp: input contains more than one value'
      : 'rlp: value size exceeds available input length';
  }
}
