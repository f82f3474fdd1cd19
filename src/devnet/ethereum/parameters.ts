import { hex } from './chain-controls.ts';

/**
 * The parameters of calls that run code. They are rebuilt from what was understood, and never passed as they came: what
 * the limits do not see, the node does not see either. Throws `BadParameter`.
 */

export class BadParameter extends Error {
  override readonly name = 'BadParameter';
}

type Fields = Readonly<Record<string, (value: unknown, name: string) => unknown>>;

const bad = (name: string, what: string): never => {
  throw new BadParameter(`invalid argument: \`${name}\` should be ${what}`);
};

/** A whole number, as text in hexadecimal or decimal form or as a number. */
export function wholeOf(value: unknown): bigint | undefined {
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
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

export interface GasLimit {
  most: bigint;
  /** Without `gas` a call gets the most. Otherwise the node decides. */
  isDefault: boolean;
}

export function transactionOf(value: unknown, { most, isDefault }: GasLimit): Record<string, unknown> {
  const transaction = rebuilt(value, 'transaction', TRANSACTION);
  const gas = wholeOf(transaction.gas) ?? (isDefault ? most : undefined);
  return gas === undefined ? transaction : { ...transaction, gas: hex(gas < most ? gas : most) };
}

export const stateOverridesOf = mapOf((value, name) => rebuilt(value, name, ACCOUNT));
export const blockOverridesOf = (value: unknown) => rebuilt(value, 'blockOverrides', BLOCK);

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'earliest', 'pending', 'safe', 'finalized']);

/** Name, number or hash of a block. */
export function blockOf(value: unknown): unknown {
  if (TAGS.has(value)) return value;
  if (isObject(value)) return rebuilt(value, 'block', { blockHash: word, blockNumber: whole, requireCanonical: flag });
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value;
  return whole(value, 'block');
}

const MAX_LISTED = 100;
const few =
  (read: (value: unknown, name: string) => unknown, most = MAX_LISTED) =>
  (value: unknown, name: string): unknown =>
    Array.isArray(value) && value.length > most ? bad(name, `a list of at most ${most}`) : listOf(read)(value, name);
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
export const criteriaOf = (value: unknown) => rebuilt(value, 'filter', CRITERIA);

/** Which logs of which blocks. Without a last one the filter goes on with the chain. */
export function filterOf(value: unknown): Record<string, unknown> {
  const filter = rebuilt(value, 'filter', { ...CRITERIA, blockHash: word, fromBlock: height, toBlock: height });
  return filter.blockHash === undefined ? { fromBlock: 'latest', ...filter } : filter;
}

/** Numbers of blocks are refused before. */
export const simulationOf = (options: Record<string, unknown>, limit: GasLimit) =>
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
export function tracingOf(value: unknown, isShared: boolean): Record<string, unknown> {
  const options = rebuilt(value ?? {}, 'tracing options', { ...BUILT_IN, ...(isShared ? {} : LOGGER) });
  if (isShared && options.tracer === undefined) return bad('tracer', `one of ${[...TRACERS].join(', ')}`);
  return { ...options, timeout: TRACED_WITHIN };
}
