import type { Transaction } from 'ethers/transaction';
import { undecodable } from './undecodable.ts';

/** The waiting transaction of a sender with this nonce, as the node shows it. */
export interface Waiting {
  hash: string;
  blockHash: string | null;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
}
type FindWaiting = (sender: string, nonce: number) => Promise<Waiting | null | undefined>;

const MOST_BYTES = 128 * 1024;
/** EIP-7825. */
const MOST_GAS = 2n ** 24n;

/**
 * Why geth does not take a signed transaction that the embedded node takes, in the words of geth. Blobs take long to parse.
 */
export async function refusedByPool(raw: unknown, find: FindWaiting): Promise<string | undefined> {
  if (typeof raw !== 'string' || raw.startsWith(BLOBS)) return undefined;
  const transaction = await parsed(raw);
  // Where it has all its fields, the node says what is wrong with them.
  if (!transaction) return undecodable(raw);
  return brokenRule(transaction, raw) ?? outbid(transaction, find);
}

async function parsed(raw: string): Promise<Transaction | undefined> {
  const { Transaction } = await import('ethers/transaction');
  try {
    const transaction = Transaction.from(raw);
    return transaction.isSigned() ? transaction : undefined;
  } catch {
    return undefined;
  }
}

function brokenRule(
  { type, gasLimit, data, signature, authorizationList }: Transaction,
  raw: string,
): string | undefined {
  const bytes = raw.length / 2 - 1;
  if (bytes > MOST_BYTES) return `oversized data: transaction size ${bytes}, limit ${MOST_BYTES}`;
  // EIP-155: without a chain id it could be sent again on every chain.
  if (type === 0 && signature?.legacyChainId === null)
    return 'only replay-protected (EIP-155) transactions allowed over RPC';
  // EIP-7702. The embedded node takes it, and never mines it.
  if (type === 4 && !authorizationList?.length)
    return 'set code tx must have at least one authorization tuple';
  if (gasLimit > MOST_GAS) return `transaction gas limit too high (cap: ${MOST_GAS}, tx: ${gasLimit})`;
  const least = leastGas(data);
  if (gasLimit < least) return `intrinsic gas too low: gas ${gasLimit}, minimum needed ${least}`;
  return undefined;
}

const BLOBS = '0x03';
const GAS = { transaction: 21_000, zeroByte: 10, otherByte: 40 };

/** EIP-7623. The embedded node takes a transaction with less, and loses it. */
function leastGas(data: string): bigint {
  const bytes = data.slice(2).match(/../g) ?? [];
  const zeros = bytes.filter(byte => byte === '00').length;
  return BigInt(GAS.transaction + zeros * GAS.zeroByte + (bytes.length - zeros) * GAS.otherByte);
}

/** A replacement bids 10 % more in both parts of the price. */
const BUMP = { numerator: 11n, denominator: 10n };

async function outbid(transaction: Transaction, find: FindWaiting): Promise<string | undefined> {
  const { from, nonce, hash } = transaction;
  const waiting = await find(from!, nonce);
  if (!waiting || waiting.blockHash !== null || waiting.hash === hash) return undefined;
  const bids = [
    [transaction.maxFeePerGas ?? transaction.gasPrice, waiting.maxFeePerGas ?? waiting.gasPrice],
    [
      transaction.maxPriorityFeePerGas ?? transaction.gasPrice,
      waiting.maxPriorityFeePerGas ?? waiting.gasPrice,
    ],
  ] as const;
  const isEnough = bids.every(([bid, former]) => bid! * BUMP.denominator >= BigInt(former!) * BUMP.numerator);
  return isEnough ? undefined : 'replacement transaction underpriced';
}
