import type { DevnetAccess } from '../access.ts';
import { hex } from './chain-controls.ts';
import {
  BadParameter,
  blockOf,
  blockOverridesOf,
  criteriaOf,
  filterOf,
  type GasLimit,
  isObject,
  simulationOf,
  stateOverridesOf,
  tracingOf,
  transactionOf,
  wholeOf,
} from './parameters.ts';
import { nowSeconds } from './state-file.ts';

/** Limits of parameters that would end the node, keep it busy without an end, or move its clock beyond every calendar. */

/** Several VASPs share the node: a call of a stranger with more takes it too long. */
export const MAX_GAS_OF_A_STRANGER = 10_000_000n;
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
export type Limits = (call: Call, access: DevnetAccess) => Call | string;

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

const isMore = (value: bigint | undefined, most: number): boolean => value !== undefined && value > BigInt(most);
const isFar = (time: bigint | undefined): boolean => isMore(time, nowSeconds() + MAX_SECONDS);

const gasOf = (access: DevnetAccess): GasLimit => ({ most: MAX_GAS[access], isDefault: isShared(access) });

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
  const most = MAX_SIMULATED[access];
  const calls = blocks.flatMap(each => (isObject(each) && Array.isArray(each.calls) ? each.calls : []));
  if (blocks.length > most || calls.length > most || blocks.some(hasNumber))
    return `A simulation has at most ${most} blocks and ${most} calls, and names no block number.`;
  const share = MAX_GAS_SIMULATED[access] / BigInt(Math.max(calls.length, 1));
  const { most: ofOne, isDefault } = gasOf(access);
  const limit = { most: share < ofOne ? share : ofOne, isDefault };
  return { ...call, params: [simulationOf(options, limit), blockOf(block ?? 'latest')] };
}

const NO_SIMULATION = 'invalid argument 0: `blockStateCalls` should be a list';

const hasNumber = (block: unknown): boolean =>
  isObject(block) && isObject(block.blockOverrides) && (block.blockOverrides.number ?? undefined) !== undefined;
