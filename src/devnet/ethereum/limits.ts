import type { BeforeSending, DevnetAccess, Sending } from '../access.ts';
import { hex } from './chain-controls.ts';
import { nowSeconds } from './state-file.ts';

/** Limits of parameters that would end the node, keep it busy without an end, or move its clock beyond every calendar. */

/** Several VASPs share the node: a call of a stranger with more takes it too long. */
const MAX_GAS_OF_A_STRANGER = 10_000_000n;
const MAX_GAS = { everything: 30_000_000n, 'reading and sending': MAX_GAS_OF_A_STRANGER } as const;
/** Of all calls of a simulation together. */
const MAX_GAS_SIMULATED = { everything: 300_000_000n, 'reading and sending': MAX_GAS_OF_A_STRANGER } as const;
const MAX_KEYS = 100;
const MAX_BLOCKS = 1_000;
const MAX_SECONDS = 10 * 366 * 24 * 3_600;
const MAX_INTERVAL = 3_600;
/** The node ends at a higher one. */
const HIGHEST_BASE_FEE = 2n ** 64n - 1n;

type Call = { method: string; params?: unknown };

/** Gives the call with its gas within the limit, or a sentence that refuses it. */
type Limits = (call: Call, access: DevnetAccess) => Call | string;

export function createLimits(): Limits {
  let secondsAhead = 0n;
  const limited = (call: Call, access: DevnetAccess): Call | string => {
    const params = Array.isArray(call.params) ? call.params : [];
    const [first, second] = params.map(wholeOf);
    switch (call.method.replace(/^[a-z]+_/, '')) {
      case 'call':
      case 'estimateGas':
      case 'createAccessList':
        return { ...call, params: limitedCall(params, gasOf(access)) };
      case 'fillTransaction':
        return { ...call, params: [transactionOf(params[0], gasOf(access))] };
      case 'traceTransaction':
        return { ...call, params: [params[0], tracingOf(params[1], isShared(access))] };
      case 'getBalance':
      case 'getCode':
      case 'getTransactionCount':
        return params.length === 1 ? { ...call, params: [...params, 'latest'] } : call;
      case 'getLogs':
        return isShared(access) ? { ...call, params: [toLatest(filterOf(params[0]))] } : call;
      case 'newFilter':
        return isShared(access) ? { ...call, params: [filterOf(params[0])] } : call;
      case 'subscribe':
        return isShared(access) ? { ...call, params: subscriptionOf(params) } : call;
      case 'getProof':
        if (Array.isArray(params[1]) && params[1].length > MAX_KEYS) return KEYS;
        return { ...call, params: [params[0], paddedKeys(params[1]), ...params.slice(2)] };
      case 'simulateV1':
        return limitedSimulation(call, params, access);
      case 'feeHistory':
        if (first === 0n) return NO_BLOCKS;
        if (Array.isArray(params[2]) && !areRising(params[2])) return PERCENTILES;
        return isMore(first, MAX_FEES[access])
          ? { ...call, params: [hex(MAX_FEES[access]), ...params.slice(1)] }
          : call;
      case 'mine': {
        const { blocks, timestamp } = (params[0] ?? {}) as { blocks?: unknown; timestamp?: unknown };
        const isByTime = call.method === 'evm_mine';
        if (isMore(isByTime ? wholeOf(blocks) : first, MAX_BLOCKS) || isMore(second, MAX_INTERVAL)) return MANY;
        return isByTime && isFar(first ?? wholeOf(timestamp)) ? FAR : call;
      }
      case 'increaseTime':
        if (isMore(secondsAhead + (first ?? 0n), MAX_SECONDS)) return FAR;
        secondsAhead += first ?? 0n;
        return call;
      case 'setNextBlockTimestamp':
        return isFar(first) ? FAR : call;
      case 'setNextBlockBaseFeePerGas':
        return first !== undefined && first > HIGHEST_BASE_FEE ? HIGH : call;
      default:
        return call;
    }
  };
  return (call, access) => {
    try {
      return limited(call, access);
    } catch (error) {
      if (error instanceof BadParameter) return error.message;
      throw error;
    }
  };
}

const isShared = (access: DevnetAccess): boolean => access !== 'everything';
/** Without whole transactions: each of them is sent to every subscriber. */
const subscriptionOf = ([kind, criteria]: readonly unknown[]): unknown[] =>
  kind === 'logs' ? [kind, criteriaOf(criteria ?? {})] : [kind];
const toLatest = (filter: Record<string, unknown>) =>
  filter.blockHash === undefined ? { toBlock: 'latest', ...filter } : filter;

/** The node takes keys of storage only in full length. */
const paddedKeys = (keys: unknown): unknown =>
  Array.isArray(keys)
    ? keys.map(key => (/^0x[0-9a-f]{0,63}$/i.test(key) ? `0x${key.slice(2).padStart(64, '0')}` : key))
    : keys;

/** Blocks of a fee history. Each is asked for by itself. */
const MAX_FEES = { everything: 1_024, 'reading and sending': 32 } as const;

const NO_BLOCKS = 'The block count is at least 1.';
const PERCENTILES = 'Reward percentiles are at most 100 numbers from 0 to 100, each at least the one before.';
const KEYS = `A proof has at most ${MAX_KEYS} keys.`;
const FAR = 'The time of a block may be at most ten years ahead.';
const HIGH = `The base fee may be at most ${HIGHEST_BASE_FEE} wei per gas.`;
const MANY = `At most ${MAX_BLOCKS} blocks at once, at most ${MAX_INTERVAL} seconds apart.`;

const areRising = (list: readonly unknown[]): boolean =>
  list.length <= 100 &&
  list.every((each, i) => {
    const before = i === 0 ? 0 : Number(list[i - 1]);
    return typeof each === 'number' && each >= before && each <= 100;
  });

const isMore = (value: bigint | undefined, max: number): boolean => value !== undefined && value > BigInt(max);
const isFar = (time: bigint | undefined): boolean => isMore(time, nowSeconds() + MAX_SECONDS);

const gasOf = (access: DevnetAccess): GasLimit => ({ max: MAX_GAS[access], isDefault: isShared(access) });

/** Transaction, block, and the overrides of state and block. */
function limitedCall([transaction, block, state, overrides]: readonly unknown[], limit: GasLimit): unknown[] {
  const params: unknown[] = [transactionOf(transaction, limit), blockOf(block ?? 'latest')];
  if (state != null || overrides != null) params.push(stateOverridesOf(state ?? {}, 'stateOverrides'));
  if (overrides != null) params.push(blockOverridesOf(overrides));
  return params;
}

const MAX_SIMULATED = { everything: 1_000, 'reading and sending': 16 } as const;

/** The node simulates block by block, and makes those between two numbers. */
function limitedSimulation(call: Call, params: readonly unknown[], access: DevnetAccess): Call | string {
  const [options, block] = params;
  const blocks = isObject(options) ? options.blockStateCalls : undefined;
  if (!isObject(options) || !Array.isArray(blocks)) return NO_SIMULATION;
  const max = MAX_SIMULATED[access];
  const calls = blocks.flatMap(each => (isObject(each) && Array.isArray(each.calls) ? each.calls : []));
  if (blocks.length > max || calls.length > max || blocks.some(hasNumber))
    return `A simulation has at most ${max} blocks and ${max} calls, and names no block number.`;
  const share = MAX_GAS_SIMULATED[access] / BigInt(Math.max(calls.length, 1));
  const { max: ofOne, isDefault } = gasOf(access);
  const limit = { max: share < ofOne ? share : ofOne, isDefault };
  return { ...call, params: [simulationOf(options, limit), blockOf(block ?? 'latest')] };
}

const NO_SIMULATION = 'invalid argument 0: `blockStateCalls` should be a list';

const hasNumber = (block: unknown): boolean =>
  isObject(block) && isObject(block.blockOverrides) && (block.blockOverrides.number ?? undefined) !== undefined;

/**
 * The parameters of calls that run code. They are rebuilt from what was understood, and never passed as they came: what
 * the limits do not see, the node does not see either. Throws `BadParameter`.
 */

class BadParameter extends Error {
  override readonly name = 'BadParameter';
}

type Fields = Readonly<Record<string, (value: unknown, name: string) => unknown>>;

const bad = (name: string, what: string): never => {
  throw new BadParameter(`invalid argument: \`${name}\` should be ${what}`);
};

/** A whole number, as text in hexadecimal or decimal form or as a number. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? BigInt(Math.trunc(value)) : undefined;
  const isText = typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value);
  return isText ? BigInt(value) : undefined;
}

const whole = (value: unknown, name: string): string =>
  hex(wholeOf(value) ?? bad(name, 'a number of at most 256 bits'));
const flag = (value: unknown, name: string): boolean =>
  typeof value === 'boolean' ? value : bad(name, 'true or false');
const bytes = (value: unknown, name: string): string =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? value : bad(name, '0x-prefixed bytes');
const word = (value: unknown, name: string): string =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? value : bad(name, '0x-prefixed, at most 32 bytes');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The known members. What is null or unknown is left out. */
function rebuilt(value: unknown, name: string, fields: Fields): Record<string, unknown> {
  if (!isObject(value)) return bad(name, 'an object');
  const members = Object.entries(fields).flatMap(([member, read]) =>
    value[member] === undefined || value[member] === null ? [] : [[member, read(value[member], member)]],
  );
  return Object.fromEntries(members);
}

const listOf =
  (read: (value: unknown, name: string) => unknown) =>
  (value: unknown, name: string): unknown[] =>
    Array.isArray(value) ? value.map(each => read(each, name)) : bad(name, 'a list');

const mapOf =
  (read: (value: unknown, name: string) => unknown) =>
  (value: unknown, name: string): Record<string, unknown> =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [word(key, name), read(each, key)]))
      : bad(name, 'an object');

const ACCESS: Fields = { address: bytes, storageKeys: listOf(word) };
const AUTHORIZATION: Fields = { chainId: whole, address: bytes, nonce: whole, yParity: whole, r: whole, s: whole };
const TRANSACTION: Fields = {
  type: whole,
  from: bytes,
  to: bytes,
  gas: whole,
  gasPrice: whole,
  maxFeePerGas: whole,
  maxPriorityFeePerGas: whole,
  maxFeePerBlobGas: whole,
  value: whole,
  nonce: whole,
  data: bytes,
  input: bytes,
  chainId: whole,
  accessList: listOf((value, name) => rebuilt(value, name, ACCESS)),
  authorizationList: listOf((value, name) => rebuilt(value, name, AUTHORIZATION)),
  blobVersionedHashes: listOf(word),
};
const ACCOUNT: Fields = { balance: whole, nonce: whole, code: bytes, state: mapOf(word), stateDiff: mapOf(word) };
/** Without the limit of gas: the calls have one. */
const BLOCK: Fields = {
  number: whole,
  time: whole,
  feeRecipient: bytes,
  prevRandao: word,
  baseFeePerGas: whole,
  blobBaseFee: whole,
};

interface GasLimit {
  max: bigint;
  /** Without `gas` a call gets the most. Otherwise the node decides. */
  isDefault: boolean;
}

function transactionOf(value: unknown, { max, isDefault }: GasLimit): Record<string, unknown> {
  const transaction = rebuilt(value, 'transaction', TRANSACTION);
  const gas = wholeOf(transaction.gas) ?? (isDefault ? max : undefined);
  return gas === undefined ? transaction : { ...transaction, gas: hex(gas < max ? gas : max) };
}

const stateOverridesOf = mapOf((value, name) => rebuilt(value, name, ACCOUNT));
const blockOverridesOf = (value: unknown) => rebuilt(value, 'blockOverrides', BLOCK);

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'earliest', 'pending', 'safe', 'finalized']);

/** Name, number or hash of a block. */
function blockOf(value: unknown): unknown {
  if (TAGS.has(value)) return value;
  if (isObject(value)) return rebuilt(value, 'block', { blockHash: word, blockNumber: whole, requireCanonical: flag });
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value;
  return whole(value, 'block');
}

const MAX_LISTED = 100;
const few =
  (read: (value: unknown, name: string) => unknown, max = MAX_LISTED) =>
  (value: unknown, name: string): unknown =>
    Array.isArray(value) && value.length > max ? bad(name, `a list of at most ${max}`) : listOf(read)(value, name);
const oneOr =
  (read: (value: unknown, name: string) => unknown, list = few(read)) =>
  (value: unknown, name: string): unknown =>
    (Array.isArray(value) ? list : read)(value, name);
const topic = oneOr(word);
const CRITERIA: Fields = {
  address: oneOr(bytes),
  topics: few((value, name) => (value === null ? null : topic(value, name)), 4),
};
const height = (value: unknown, name: string) => (TAGS.has(value) ? value : whole(value, name));

/** Which logs, without the blocks. */
const criteriaOf = (value: unknown) => rebuilt(value, 'filter', CRITERIA);

/** Which logs of which blocks. Without a last one the filter goes on with the chain. */
function filterOf(value: unknown): Record<string, unknown> {
  const filter = rebuilt(value, 'filter', { ...CRITERIA, blockHash: word, fromBlock: height, toBlock: height });
  return filter.blockHash === undefined ? { fromBlock: 'latest', ...filter } : filter;
}

/** Numbers of blocks are refused before. */
const simulationOf = (options: Record<string, unknown>, limit: GasLimit) =>
  rebuilt(options, 'simulation', {
    traceTransfers: flag,
    validation: flag,
    returnFullTransactions: flag,
    blockStateCalls: listOf((block, name) =>
      rebuilt(block, name, {
        blockOverrides: blockOverridesOf,
        stateOverrides: stateOverridesOf,
        calls: listOf(each => transactionOf(each, limit)),
      }),
    ),
  });

/** The node's own ones. A tracer in JavaScript would run without an end. */
const TRACERS: ReadonlySet<unknown> = new Set(['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer']);
const TRACED_WITHIN = '5s';
const BUILT_IN: Fields = {
  tracer: value => (TRACERS.has(value) ? value : bad('tracer', `one of ${[...TRACERS].join(', ')}`)),
  tracerConfig: (value, name) =>
    rebuilt(value, name, { onlyTopCall: flag, withLog: flag, diffMode: flag, disableCode: flag, disableStorage: flag }),
};
/** Of the logger of every step. */
const LOGGER: Fields = { disableStorage: flag, disableStack: flag, enableMemory: flag, enableReturnData: flag };

/** `isShared`: every step of a transaction is too long for those who share the node. */
function tracingOf(value: unknown, isShared: boolean): Record<string, unknown> {
  const options = rebuilt(value ?? {}, 'tracing options', { ...BUILT_IN, ...(isShared ? {} : LOGGER) });
  if (isShared && options.tracer === undefined) return bad('tracer', `one of ${[...TRACERS].join(', ')}`);
  return { ...options, timeout: TRACED_WITHIN };
}

/** A transaction of a stranger has at most the gas of a call. Throws the sentence that refuses it. */
export async function announce(raw: unknown, beforeSending: BeforeSending): Promise<void> {
  const sending = await sendingOf(raw).catch(() => undefined);
  if (!sending) throw new Error('The parameter is no signed transaction.');
  if (sending.gas > MAX_GAS_OF_A_STRANGER)
    throw new Error(`Several VASPs share this chain: a transaction has at most ${MAX_GAS_OF_A_STRANGER} gas.`);
  beforeSending(sending);
}

/** The hash is that of its canonical form, which the node prints. Throws where it is no signed transaction. */
export async function sendingOf(raw: unknown): Promise<Sending> {
  const { Transaction } = await import('ethers/transaction');
  const { hash, gasLimit } = Transaction.from(raw as string);
  if (hash === null) throw new TypeError('it is not signed');
  return { symbol: 'ETH', hash, gas: Number(gasLimit), bytes: (raw as string).length / 2 - 1 };
}
