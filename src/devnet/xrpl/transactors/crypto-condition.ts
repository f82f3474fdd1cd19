import { createHash } from 'node:crypto';
import { toHex } from '../hash.ts';
import type { Failure } from '../results.ts';

/**
 * Crypto-conditions of the type PREIMAGE-SHA-256, in DER and hex: a condition is the hash of a preimage and its length,
 * a fulfillment is the preimage.
 */
const MOST_PREIMAGE_BYTES = 128;
const PREIMAGE = /^A02[56]8020[0-9A-F]{64}(8101[0-7][0-9A-F]|81020080)$/;
/** Prefix, threshold, RSA and Ed25519. */
const OTHER_TYPES = /^A[1-4]/;

/** Whether an escrow may have this condition. */
export function checkCondition(condition: string): Failure {
  if (OTHER_TYPES.test(condition)) return 'temDISABLED';
  if (!PREIMAGE.test(condition)) return 'temMALFORMED';
  return conditionLength(condition) === condition.length / 2 ? undefined : 'temMALFORMED';
}

/** The length that the header names, with the header. */
const conditionLength = (condition: string): number => 2 + Number.parseInt(condition.slice(2, 4), 16);

export function fulfils(fulfillment: string, condition: string): boolean {
  const preimage = preimageOf(Buffer.from(fulfillment, 'hex'));
  return preimage !== undefined && conditionOf(preimage) === condition;
}

/** Undefined: it is no fulfillment of this type. */
function preimageOf(fulfillment: Buffer): Buffer | undefined {
  const outer = contentOf(fulfillment, 0xa0);
  const preimage = outer && contentOf(outer, 0x80);
  return preimage && preimage.length <= MOST_PREIMAGE_BYTES ? preimage : undefined;
}

/** The content of a value that has this tag and fills the bytes. A length above 127 needs a second byte. */
function contentOf(bytes: Buffer, tag: number): Buffer | undefined {
  if (bytes[0] !== tag) return undefined;
  const isLong = bytes[1] === 0x81;
  const length = isLong ? bytes[2] : bytes[1];
  if (length === undefined || isLong !== length > 127) return undefined;
  const content = bytes.subarray(isLong ? 3 : 2);
  return content.length === length ? content : undefined;
}

function conditionOf(preimage: Buffer): string {
  const hash = createHash('sha256').update(preimage).digest();
  const cost = preimage.length > 127 ? [0x81, 2, 0, preimage.length] : [0x81, 1, preimage.length];
  const content = Buffer.concat([Buffer.of(0x80, hash.length), hash, Buffer.from(cost)]);
  return toHex(Buffer.concat([Buffer.of(0xa0, content.length), content]));
}
