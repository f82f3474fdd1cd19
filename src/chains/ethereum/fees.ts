import type { PlannedPayment } from '../payments.ts';
import { type Fee, FeeTooHigh } from '../port.ts';
import { headBlock } from './blocks.ts';
import { type EthereumNode, hex, unlessRefused } from './node.ts';

/** Bids in wei per gas, by EIP-1559 or, on a chain before London, as a gas price. A bid stays valid until the base fee has doubled. */
const BASE_FEE_ROOM = 2n;
/** A replacement must bid 10 % more, on some nodes 12 %. */
const REPLACEMENT = { numerator: 9n, denominator: 8n };
const DEFAULT_TIP = 1_000_000_000n;

export type Market = { baseFee: bigint; tip: bigint } | { gasPrice: bigint };

/** The network's present price, the same for every recipient. */
export async function marketOf(node: EthereumNode): Promise<Market> {
  const block = await headBlock(node);
  if (block.baseFeePerGas === undefined) return { gasPrice: BigInt(await node.call<string>('eth_gasPrice')) };
  return { baseFee: BigInt(block.baseFeePerGas), tip: await suggestedTip(node) };
}

export async function quoteFee(
  node: EthereumNode,
  market: Promise<Market>,
  cap: bigint,
  payment: PlannedPayment,
  replaced?: Fee,
): Promise<Fee> {
  const [price, gasLimit] = await Promise.all([market, gasLimitFor(node, payment)]);
  const least = replaced && partsOf(replaced);
  if ('gasPrice' in price) {
    const gasPrice = higher(price.gasPrice, least && raised(least.maxFeePerGas));
    refuseAbove(cap, gasPrice);
    return { gasPrice: String(gasPrice), gasLimit: String(gasLimit) };
  }
  const { baseFee, tip } = price;
  const priority = higher(tip, least && raised(least.maxPriorityFeePerGas));
  const wanted = higher(baseFee * BASE_FEE_ROOM + priority, least && raised(least.maxFeePerGas));
  // Near the cap a smaller margin is enough, but the next block's price is the minimum.
  const needed = higher(baseFee + priority, least && raised(least.maxFeePerGas));
  refuseAbove(cap, needed);
  return {
    maxFeePerGas: String(wanted < cap ? wanted : cap),
    maxPriorityFeePerGas: String(priority),
    gasLimit: String(gasLimit),
  };
}

function refuseAbove(cap: bigint, needed: bigint): void {
  if (needed > cap) throw new FeeTooHigh(`the network's price is ${needed} wei per gas, the cap is ${cap}`);
}

/** Of a gas price both parts are that price. */
export function partsOf(fee: Fee) {
  const { gasLimit } = fee;
  const { maxFeePerGas, maxPriorityFeePerGas } = isLegacy(fee)
    ? { maxFeePerGas: fee.gasPrice, maxPriorityFeePerGas: fee.gasPrice }
    : fee;
  if (!maxFeePerGas || !maxPriorityFeePerGas || !gasLimit) throw new TypeError('not a fee of Ethereum');
  return {
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    gasLimit: BigInt(gasLimit),
  };
}

export const isLegacy = (fee: Fee): boolean => fee.gasPrice !== undefined;

const higher = (one: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other > one ? other : one;

const raised = (bid: bigint): bigint => {
  const { numerator, denominator } = REPLACEMENT;
  return (bid * numerator + denominator - 1n) / denominator;
};

async function suggestedTip(node: EthereumNode): Promise<bigint> {
  const tip = await unlessRefused(node.ask<string>('eth_maxPriorityFeePerGas'));
  return tip === undefined ? DEFAULT_TIP : BigInt(tip);
}

/** The state may change between the estimate and the block. */
const MARGIN = { numerator: 5n, denominator: 4n };
/** Where the node gives no estimate. With Amsterdam rules a payment to a new account takes about 205,000. */
const GAS_TO_EXISTING_ACCOUNT = 21_000n;
const GAS_TO_ANY_OTHER = 250_000n;

/** D-35: the gas of this very payment: to a new account or a contract it takes more than to others. */
async function gasLimitFor(node: EthereumNode, { from, to, amount }: PlannedPayment): Promise<bigint> {
  const call = { from, to, value: hex(amount) };
  const estimate = await unlessRefused(node.ask<string>('eth_estimateGas', call));
  if (estimate !== undefined) return (BigInt(estimate) * MARGIN.numerator) / MARGIN.denominator;
  return (await isExistingAccount(node, to)) ? GAS_TO_EXISTING_ACCOUNT : GAS_TO_ANY_OTHER;
}

/** It has paid or was paid, and no code runs. */
async function isExistingAccount(node: EthereumNode, account: string): Promise<boolean> {
  const ask = (method: string) => node.call<string>(method, account, 'latest');
  const [code, balance, count] = await Promise.all(
    ['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'].map(ask),
  );
  return code === '0x' && (BigInt(balance!) > 0n || BigInt(count!) > 0n);
}
