import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { remember } from '../../kernel/rate-limit.ts';
import type { SignedTransfer, TransferOrder } from '../port.ts';
import { isLegacy, partsOf } from './fees.ts';

export type EthereumWallet = ReturnType<typeof ethereumWallet>;
type Account = ReturnType<typeof accountOf>;

const MAX_MNEMONICS = 1_000;

/** Derived accounts by mnemonic, shared by all adapters of the process. */
const derivedFrom = remember(MAX_MNEMONICS, mnemonic => {
  let parent: HdNode | undefined;
  const derived = new Map<number, Account>();
  return (index: number): Account => {
    parent ??= HdNode.fromMnemonic(mnemonic).derive("44'/60'/0'/0");
    const account = derived.get(index) ?? accountOf(parent.derive(String(index)));
    derived.set(index, account);
    return account;
  };
});

const accountOf = ({ key, publicKey }: HdNode) => ({
  address: `0x${Buffer.from(keccak_256(publicKey.subarray(1)))
    .toString('hex')
    .slice(-40)}`,
  key,
});

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

const HARDENED = 0x80000000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * A BIP-32 private key and its children, by `node:crypto`. Measured: libraries in JavaScript need 30 times as long for
 * the first account, and every start would wait for it.
 */
class HdNode {
  /** 32 bytes. */
  readonly key: Buffer;
  readonly #chainCode: Buffer;
  #publicKey: Buffer | undefined;

  constructor(key: Buffer, chainCode: Buffer) {
    this.key = key;
    this.#chainCode = chainCode;
  }

  /** From a BIP-39 mnemonic without a passphrase. Does not check its checksum. */
  static fromMnemonic(mnemonic: string): HdNode {
    const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
    return new HdNode(...halves(createHmac('sha512', 'Bitcoin seed').update(seed)));
  }

  /** Uncompressed, 65 bytes. */
  get publicKey(): Buffer {
    if (!this.#publicKey) {
      const ecdh = createECDH('secp256k1');
      ecdh.setPrivateKey(this.key);
      this.#publicKey = ecdh.getPublicKey();
    }
    return this.#publicKey;
  }

  /** The descendant at a relative `path`, e.g. `44'/60'/0'/0`. */
  derive(path: string): HdNode {
    return path
      .split('/')
      .map(step => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0))
      .reduce<HdNode>((node, index) => node.#child(index), this);
  }

  #child(index: number): HdNode {
    const indexBytes = Buffer.alloc(4);
    indexBytes.writeUInt32BE(index);
    const data = index >= HARDENED ? Buffer.concat([Buffer.of(0), this.key]) : compressed(this.publicKey);
    const hmac = createHmac('sha512', this.#chainCode).update(data).update(indexBytes);
    const [tweak, chainCode] = halves(hmac);
    const sum = (toBigInt(tweak) + toBigInt(this.key)) % ORDER;
    return new HdNode(Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'), chainCode);
  }
}

function halves(hmac: ReturnType<typeof createHmac>): [Buffer, Buffer] {
  const digest = hmac.digest();
  return [digest.subarray(0, 32), digest.subarray(32)];
}

const compressed = (point: Buffer): Buffer =>
  Buffer.concat([Buffer.of(point.at(-1)! % 2 === 0 ? 2 : 3), point.subarray(1, 33)]);

const toBigInt = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
