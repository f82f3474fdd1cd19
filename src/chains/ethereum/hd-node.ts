import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto';

const HARDENED = 0x80000000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * A BIP-32 private key and its children, by `node:crypto`. Measured: libraries in JavaScript need 30 times as long for
 * the first account, and every start would wait for it.
 */
export class HdNode {
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
