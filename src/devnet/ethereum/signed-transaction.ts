import type { BeforeSending, Sending } from '../access.ts';
import { MAX_GAS_OF_A_STRANGER } from './limits.ts';

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
