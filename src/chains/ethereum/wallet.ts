import { createECDH, createHmac, type ECDHKeyFormat, type Hmac, pbkdf2Sync } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { elapsedMs, firstWithin } from '../../kernel/clock.ts';
import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { remember } from '../../kernel/rate-limit.ts';
import { awakeSince } from '../../kernel/stall.ts';
import { NotPayable, type PlannedPayment } from '../payments.ts';
import { type Fee, FeeTooHigh, type SignedTransfer, type TransferOrder } from '../port.ts';
import { type EthereumNode, hex, unlessRefused } from './node.ts';
import { headBlock } from './reading.ts';

/** Bids in wei per gas, by EIP-1559 or, on a chain before London, as a gas price. A bid stays valid until the base fee has doubled. */
const BASE_FEE_ROOM = 2n;
/** A replacement must bid 10 % more, on some nodes 12 %. */
const REPLACEMENT = { numerator: 9n, denominator: 8n };
const DEFAULT_TIP = 1_000_000_000n;

export type Market = { blockGas: bigint } & ({ baseFee: bigint; tip: bigint } | { gasPrice: bigint });

/** The network's present price, the same for every recipient. */
export async function marketOf(node: EthereumNode): Promise<Market> {
  const block = await headBlock(node);
  const blockGas = BigInt(block.gasLimit);
  if (block.baseFeePerGas === undefined) return { blockGas, gasPrice: BigInt(await node.call<string>('eth_gasPrice')) };
  const tip = await unlessRefused(node.ask<string>('eth_maxPriorityFeePerGas'));
  return { blockGas, baseFee: BigInt(block.baseFeePerGas), tip: tip === undefined ? DEFAULT_TIP : BigInt(tip) };
}

export async function quoteFee(
  node: EthereumNode,
  market: Promise<Market>,
  cap: bigint,
  payment: PlannedPayment,
  replaced?: Fee,
): Promise<Fee> {
  const price = await market;
  const gasLimit = await gasLimitFor(node, payment, lower(MAX_GAS, price.blockGas)).catch(error => {
    // The transaction that is replaced may still pay.
    if (error instanceof NotPayable && replaced) return partsOf(replaced).gasLimit;
    throw error;
  });
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

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const higher = (one: bigint, other: bigint | undefined): bigint => (other !== undefined && other > one ? other : one);

const raised = (bid: bigint): bigint => {
  const { numerator, denominator } = REPLACEMENT;
  return (bid * numerator + denominator - 1n) / denominator;
};

/** D-48: a payout is not a computation. */
const MAX_GAS = 1_000_000n;
/** The state may change between the estimate and the block. */
const MARGIN = { numerator: 5n, denominator: 4n };
/** Where the node gives no estimate. With Amsterdam rules a payment to a new account takes about 205,000. */
const GAS_TO_EXISTING_ACCOUNT = 21_000n;
const GAS_TO_ANY_OTHER = 250_000n;
const ESTIMATE_TAKES_MS = 3_000;

/** D-35, D-48: the gas of this very payment: to a new account or a contract it takes more than to others. */
async function gasLimitFor(node: EthereumNode, { from, to, amount }: PlannedPayment, maxGas: bigint): Promise<bigint> {
  const estimate = await estimated(node, { from, to, value: hex(amount), gas: hex(maxGas) });
  if (estimate !== undefined) return lower((estimate * MARGIN.numerator) / MARGIN.denominator, maxGas);
  return lower((await isExistingAccount(node, to)) ? GAS_TO_EXISTING_ACCOUNT : GAS_TO_ANY_OTHER, maxGas);
}

/** The words of nodes for a payment that the recipient refuses. Too little money of the sender says nothing of it. */
const REFUSED_BY_RECIPIENT = /revert|out ?of ?gas|gas (required|spent).*exceed|opcode|stack|jump|execution error/i;
const LACKS_MONEY = /insufficient|funds/i;

/** Undefined: the node gives no estimate, or none in time. Throws `NotPayable`. */
async function estimated(
  node: EthereumNode,
  call: Record<'from' | 'to' | 'value' | 'gas', string>,
): Promise<bigint | undefined> {
  const asked = node.ask<string>('eth_estimateGas', call).catch(error => {
    if (error instanceof RpcRefusal && REFUSED_BY_RECIPIENT.test(error.message))
      if (!LACKS_MONEY.test(error.message))
        throw new NotPayable(`the recipient does not take it with ${BigInt(call.gas)} gas: ${error.message}`);
    throw error;
  });
  let estimate: string | undefined;
  let isAnswered = false;
  const answered = unlessRefused(asked).then(answer => {
    estimate = answer;
    isAnswered = true;
  });
  // The node is not slow while this process stands still. Its own time limit ends the call.
  const since = elapsedMs();
  for (let left = ESTIMATE_TAKES_MS; left > 0 && !isAnswered; left = ESTIMATE_TAKES_MS - awakeSince(since))
    await firstWithin(left, [answered]);
  return estimate === undefined ? undefined : BigInt(estimate);
}

/** It has paid or was paid, and no code runs. */
async function isExistingAccount(node: EthereumNode, account: string): Promise<boolean> {
  const ask = (method: string) => node.call<string>(method, account, 'latest');
  const [code, balance, count] = await Promise.all(
    ['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'].map(ask),
  );
  return code === '0x' && (BigInt(balance!) > 0n || BigInt(count!) > 0n);
}

export type EthereumWallet = ReturnType<typeof ethereumWallet>;
type Account = ReturnType<typeof accountOf>;

const MAX_MNEMONICS = 1_000;

/** Derived accounts by mnemonic, shared by all adapters of the process. */
const derivedFrom = remember(MAX_MNEMONICS, mnemonic => {
  let parent: HdNode | undefined;
  let publicKey: Buffer | undefined;
  const derived = new Map<number, Account>();
  return (index: number): Account => {
    parent ??= parentOf(mnemonic);
    publicKey ??= publicKeyOf(parent.key, 'compressed');
    const account = derived.get(index) ?? accountOf(childOf(parent, index, publicKey));
    derived.set(index, account);
    return account;
  };
});

function accountOf({ key }: HdNode) {
  const hash = keccak_256(publicKeyOf(key, 'uncompressed').subarray(1));
  return { address: `0x${Buffer.from(hash.subarray(-20)).toString('hex')}`, key };
}

/** Loaded with the first payment. */
const ethers = async () => ({ ...(await import('ethers/crypto')), ...(await import('ethers/transaction')) });

/** The robot's own accounts, m/44'/60'/0'/0/index of the mnemonic. */
export function ethereumWallet(mnemonic: string, chainId: number) {
  const at = derivedFrom(mnemonic);
  return {
    /** In lower case. */
    address: (index: number): string => at(index).address,
    async sign({ from, to, amount, sequence, fee }: TransferOrder): Promise<SignedTransfer> {
      const { SigningKey, Transaction } = await ethers();
      const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = partsOf(fee);
      const bid = isLegacy(fee) ? { type: 0, gasPrice: maxFeePerGas } : { type: 2, maxFeePerGas, maxPriorityFeePerGas };
      const payment = { gasLimit, chainId, nonce: sequence, to: to.account, value: amount };
      const transaction = Transaction.from({ ...bid, ...payment });
      transaction.signature = new SigningKey(at(from).key).sign(transaction.unsignedHash);
      return { bytes: transaction.serialized, hash: transaction.hash! };
    },
  };
}

/**
 * A BIP-32 private key and what its children are made with, by `node:crypto`. Measured: libraries in JavaScript need 30
 * times as long for the first account, and every start would wait for it.
 */
interface HdNode {
  key: Buffer;
  chainCode: Buffer;
}

const HARDENED = 0x80000000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The parent of the accounts, m/44'/60'/0'/0. Without a passphrase; does not check the checksum of the mnemonic. */
function parentOf(mnemonic: string): HdNode {
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
  const master = nodeOf(createHmac('sha512', 'Bitcoin seed').update(seed));
  return [HARDENED + 44, HARDENED + 60, HARDENED, 0].reduce((node, index) => childOf(node, index), master);
}

function childOf({ key, chainCode }: HdNode, index: number, publicKey = publicKeyOf(key, 'compressed')): HdNode {
  const place = Buffer.alloc(4);
  place.writeUInt32BE(index);
  const data = index >= HARDENED ? Buffer.concat([Buffer.of(0), key]) : publicKey;
  const tweak = nodeOf(createHmac('sha512', chainCode).update(data).update(place));
  const sum = (toBigInt(tweak.key) + toBigInt(key)) % ORDER;
  return { ...tweak, key: Buffer.from(sum.toString(16).padStart(64, '0'), 'hex') };
}

function nodeOf(hmac: Hmac): HdNode {
  const digest = hmac.digest();
  return { key: digest.subarray(0, 32), chainCode: digest.subarray(32) };
}

function publicKeyOf(key: Buffer, format: ECDHKeyFormat): Buffer {
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(key);
  return ecdh.getPublicKey(null, format);
}

const toBigInt = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
