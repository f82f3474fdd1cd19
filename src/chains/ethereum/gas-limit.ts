import type { PlannedPayment } from '../planned-payment.ts';
import { type EthereumNode, hex } from './node.ts';
import { unlessRefused } from './unless-refused.ts';

/** The state may change between the estimate and the block. */
const MARGIN = { numerator: 5n, denominator: 4n };
/** Where the node gives no estimate. With Amsterdam rules a payment to a new account takes about 205,000. */
const GAS_TO_EXISTING_ACCOUNT = 21_000n;
const GAS_TO_ANY_OTHER = 250_000n;

/** D-35: the gas of this very payment: to a new account or a contract it takes more than to others. */
export async function gasLimitFor(node: EthereumNode, { from, to, amount }: PlannedPayment): Promise<bigint> {
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
