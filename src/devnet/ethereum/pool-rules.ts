import type { Transaction } from 'ethers/transaction';
import { missingGas } from './least-gas.ts';
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
interface Pool {
  chainId(): Promise<string | undefined>;
  find: FindWaiting;
}

const MAX_BYTES = 128 * 1024;
/** EIP-3860. */
const MAX_INIT_CODE = 49_152;
/** EIP-7825. */
const MAX_GAS = 2n ** 24n;

/**
 * Why geth does not take a signed transaction that the embedded node takes, in the words of geth. Blobs take long to parse.
 */
export async function refusedByPool(raw: unknown, { chainId, find }: Pool): Promise<string | undefined> {
  if (typeof raw !== 'string' || raw.startsWith(BLOBS)) return undefined;
  const transaction = await parsed(raw);
  // Where it has all its fields, the node says what is wrong with them.
  if (!transaction) return undecodable(raw);
  return (
    brokenForm(transaction, raw) ??
    wrongChain(transaction, await chainId()) ??
    badSignature(transaction) ??
    missingGas(transaction) ??
    brokenBid(transaction) ??
    (await outbid(transaction, find))
  );
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

function brokenBid({ type, gasPrice, maxPriorityFeePerGas, authorizationList }: Transaction): string | undefined {
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
const wrongChain = ({ chainId: have }: Transaction, want: string | undefined): string | undefined =>
  want === undefined || have === BigInt(want)
    ? undefined
    : `invalid sender: invalid chain id for signer: have ${have} want ${BigInt(want)}`;

const BLOBS = '0x03';
/** A replacement bids 10 % more in both parts of the price. */
const BUMP = { numerator: 11n, denominator: 10n };

async function outbid(transaction: Transaction, find: FindWaiting): Promise<string | undefined> {
  const { from, nonce, hash } = transaction;
  const waiting = await find(from!, nonce);
  if (!waiting || waiting.blockHash !== null || waiting.hash === hash) return undefined;
  const bids = [
    [transaction.maxFeePerGas ?? transaction.gasPrice, waiting.maxFeePerGas ?? waiting.gasPrice],
    [transaction.maxPriorityFeePerGas ?? transaction.gasPrice, waiting.maxPriorityFeePerGas ?? waiting.gasPrice],
  ] as const;
  const isEnough = bids.every(([bid, former]) => bid! * BUMP.denominator >= BigInt(former!) * BUMP.numerator);
  return isEnough ? undefined : 'replacement transaction underpriced';
}
