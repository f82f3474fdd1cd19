import { fromHex, LEDGER_HEADER, sha512Half, toHex } from './hash.ts';

export interface LedgerHeader {
  readonly index: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactionHash: string;
  readonly accountHash: string;
  /** Drops in existence: the genesis balance less all burned fees. */
  readonly totalCoins: bigint;
  /** Seconds since 2000-01-01, as `parentCloseTime`. */
  readonly closeTime: number;
  readonly parentCloseTime: number;
}

/** Close times are rounded to this and always later than the parent's (XRPL-4.3). */
export const CLOSE_TIME_RESOLUTION = 10;
const RIPPLE_EPOCH = 946_684_800;

export const rippleTime = (epochMs: number): number => Math.floor(epochMs / 1000) - RIPPLE_EPOCH;
export const isoOf = (time: number): string => `${new Date((time + RIPPLE_EPOCH) * 1000).toISOString().slice(0, 19)}Z`;

export function closeTimeOf(epochMs: number, parentCloseTime: number): number {
  const shifted = rippleTime(epochMs) + CLOSE_TIME_RESOLUTION / 2;
  return Math.max(shifted - (shifted % CLOSE_TIME_RESOLUTION), parentCloseTime + 1);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export function humanOf(time: number): string {
  const iso = isoOf(time);
  return `${iso.slice(0, 4)}-${MONTHS[Number(iso.slice(5, 7)) - 1]}-${iso.slice(8, 10)} ${iso.slice(11, 19)}.000000000 UTC`;
}

/** The present time as servers write it: microseconds, where a close time has nanoseconds. */
export function humanNow(epochMs: number): string {
  const fraction = new Date(epochMs).toISOString().slice(20, 23);
  return humanOf(rippleTime(epochMs)).replace('.000000000', `.${fraction}000`);
}

export function headerBytes(header: Omit<LedgerHeader, 'hash'>): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32BE(header.index, 0);
  head.writeBigUInt64BE(header.totalCoins, 4);
  const tail = Buffer.alloc(10);
  tail.writeUInt32BE(header.parentCloseTime, 0);
  tail.writeUInt32BE(header.closeTime, 4);
  tail.writeUInt8(CLOSE_TIME_RESOLUTION, 8);
  const hashes = [header.parentHash, header.transactionHash, header.accountHash].map(fromHex);
  return Buffer.concat([head, ...hashes, tail]);
}

export const sealHeader = (header: Omit<LedgerHeader, 'hash'>): LedgerHeader => ({
  ...header,
  hash: toHex(sha512Half(LEDGER_HEADER, headerBytes(header))),
});

/** The first epoch milliseconds with a rounded close time later than `time`. */
export const epochMsAfter = (time: number): number => (time + CLOSE_TIME_RESOLUTION + RIPPLE_EPOCH) * 1000;
