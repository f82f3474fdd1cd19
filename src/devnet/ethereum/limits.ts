import type { DevnetAccess } from '../access.ts';
import { hex } from './knobs.ts';
import { nowSeconds } from './state-file.ts';

/** Limits of parameters that would end the node, keep it busy without an end, or move its clock beyond every calendar. */

const MOST_GAS = 30_000_000n;
/** Several VASPs share the node: a call with more takes it too long. */
export const MOST_GAS_OF_A_STRANGER = 10_000_000n;
const MOST_BLOCKS = 1_000;
const MOST_SECONDS = 10 * 366 * 24 * 3_600;
const MOST_INTERVAL = 3_600;
/** The node ends at a higher one. */
const HIGHEST_BASE_FEE = 2n ** 64n - 1n;

type Call = { method: string; params?: unknown };

/** Gives the call with its gas within the limit, or a sentence that refuses it. */
export type Limits = (call: Call, access: DevnetAccess) => Call | string;

export function createLimits(): Limits {
  let secondsAhead = 0n;
  return (call, access) => {
    const params = Array.isArray(call.params) ? call.params : [];
    const [first, second] = params.map(wholeOf);
    switch (call.method.replace(/^[a-z]+_/, '')) {
      case 'call':
      case 'estimateGas':
      case 'createAccessList':
      case 'fillTransaction':
        return { ...call, params: limitedCall(params, access) };
      case 'getBalance':
      case 'getCode':
      case 'getTransactionCount':
        return params.length === 1 ? { ...call, params: [...params, 'latest'] } : call;
      case 'getProof':
        return { ...call, params: [params[0], paddedKeys(params[1]), ...params.slice(2)] };
      case 'simulateV1':
        return limitedSimulation(call, params, access);
      case 'feeHistory':
        if (first === 0n) return NO_BLOCKS;
        if (Array.isArray(params[2]) && !areRising(params[2])) return PERCENTILES;
        return isMore(first, MOST_FEES[access])
          ? { ...call, params: [hex(MOST_FEES[access]), ...params.slice(1)] }
          : call;
      case 'mine': {
        const { blocks, timestamp } = (params[0] ?? {}) as { blocks?: unknown; timestamp?: unknown };
        const isByTime = call.method === 'evm_mine';
        if (isMore(isByTime ? wholeOf(blocks) : first, MOST_BLOCKS) || isMore(second, MOST_INTERVAL))
          return MANY;
        return isByTime && isFar(first ?? wholeOf(timestamp)) ? FAR : call;
      }
      case 'increaseTime':
        if (isMore(secondsAhead + (first ?? 0n), MOST_SECONDS)) return FAR;
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
}

/** The node takes keys of storage only in full length. */
const paddedKeys = (keys: unknown): unknown =>
  Array.isArray(keys)
    ? keys.map(key => (/^0x[0-9a-f]{0,63}$/i.test(key) ? `0x${key.slice(2).padStart(64, '0')}` : key))
    : keys;

/** Blocks of a fee history. Each is asked for by itself. */
const MOST_FEES = { everything: 1_024, 'reading and sending': 32 } as const;

const NO_BLOCKS = 'The block count is at least 1.';
const PERCENTILES = 'Reward percentiles are at most 100 numbers from 0 to 100, each at least the one before.';
const FAR = 'The time of a block may be at most ten years ahead.';
const HIGH = `The base fee may be at most ${HIGHEST_BASE_FEE} wei per gas.`;
const MANY = `At most ${MOST_BLOCKS} blocks at once, at most ${MOST_INTERVAL} seconds apart.`;

const areRising = (list: readonly unknown[]): boolean =>
  list.length <= 100 &&
  list.every((each, i) => {
    const before = i === 0 ? 0 : Number(list[i - 1]);
    return typeof each === 'number' && each >= before && each <= 100;
  });

const isMore = (value: bigint | undefined, most: number): boolean =>
  value !== undefined && value > BigInt(most);
const isFar = (time: bigint | undefined): boolean => isMore(time, nowSeconds() + MOST_SECONDS);

/** A number, or text in hexadecimal or decimal form. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0 ? BigInt(Math.trunc(value)) : undefined;
  return isWholeText(value) ? BigInt(value as string) : undefined;
}

const isWholeText = (value: unknown): boolean =>
  typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value);

/** Without `gas` the node takes the limit of a block. */
function limitedCall(params: readonly unknown[], access: DevnetAccess): unknown[] {
  if (access === 'everything') return params.map(param => withLimitedGas(param, MOST_GAS));
  const [transaction, ...others] = params;
  const withGas = isObject(transaction) ? { gas: hex(MOST_GAS_OF_A_STRANGER), ...transaction } : transaction;
  return [withGas, ...others].map(param => withLimitedGas(param, MOST_GAS_OF_A_STRANGER));
}

const MOST_SIMULATED = { everything: 1_000, 'reading and sending': 16 } as const;

/** The node simulates block by block, and makes those between two numbers. */
function limitedSimulation(call: Call, params: readonly unknown[], access: DevnetAccess): Call | string {
  const [options, ...others] = params;
  const blocks = (options as { blockStateCalls?: unknown } | undefined)?.blockStateCalls;
  if (!isObject(options) || !Array.isArray(blocks)) return call;
  const most = MOST_SIMULATED[access];
  const calls = blocks.flatMap((block: { calls?: unknown }) =>
    Array.isArray(block?.calls) ? block.calls : [],
  );
  if (blocks.length > most || calls.length > most || blocks.some(hasNumber))
    return `A simulation has at most ${most} blocks and ${most} calls, and names no block number.`;
  const mostGas = access === 'everything' ? MOST_GAS : MOST_GAS_OF_A_STRANGER;
  const limited = blocks.map(block =>
    isObject(block) && Array.isArray((block as { calls?: unknown }).calls)
      ? { ...block, calls: (block as { calls: unknown[] }).calls.map(each => withLimitedGas(each, mostGas)) }
      : block,
  );
  return { ...call, params: [{ ...options, blockStateCalls: limited }, ...others] };
}

const hasNumber = (block: { blockOverrides?: { number?: unknown } | null } | null): boolean =>
  block?.blockOverrides?.number !== undefined;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A transaction or the overrides of a block. */
function withLimitedGas(param: unknown, most: bigint): unknown {
  if (!isObject(param)) return param;
  const members = Object.entries(param).map(([name, value]) => {
    const gas = /^gas(Limit)?$/.test(name) ? wholeOf(value) : undefined;
    return [name, gas !== undefined && gas > most ? hex(most) : value];
  });
  return Object.fromEntries(members);
}
