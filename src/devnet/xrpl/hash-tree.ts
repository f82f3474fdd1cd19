import { hash } from 'node:crypto';

/**
 * The radix-16 Merkle tree of the XRP Ledger. A leaf is at the shallowest depth where its key is alone. An inner node
 * with a single leaf is replaced by that leaf. The store keeps nodes by their path (hex digits from the root), so an
 * update costs only the paths of the changed keys.
 */
export interface NodeStore {
  get(path: string): Buffer | undefined;
  set(path: string, node: Buffer): unknown;
  delete(path: string): unknown;
}

/** `key`: 64 upper-case hex digits. `hash` undefined: the leaf is removed. */
export interface LeafChange {
  readonly key: string;
  readonly hash: Buffer | undefined;
}

interface Child {
  hash: Buffer;
  /** Key of a leaf; undefined for an inner node. */
  key: string | undefined;
}
type Children = (Child | undefined)[];

/** Applies the changes and returns the new root hash (64 zeros for an empty tree). */
export function updateTree(store: NodeStore, changes: readonly LeafChange[]): string {
  const root = loadNode(store, '') ?? emptyNode();
  applyToNode(store, '', root, changes);
  if (root.every(child => !child)) {
    store.delete('');
    return ZERO_HASH;
  }
  saveNode(store, '', root);
  return toHex(hashNode(root));
}

function applyToNode(store: NodeStore, path: string, node: Children, changes: readonly LeafChange[]): void {
  for (const [slot, group] of bySlot(changes, path.length))
    node[slot] = updateChild(store, path, slot, node[slot], group);
}

function updateChild(store: NodeStore, path: string, slot: number, child: Child | undefined, group: LeafChange[]) {
  const below = path + slot.toString(16).toUpperCase();
  if (child && child.key === undefined) {
    const node = loadNode(store, below);
    if (!node) throw new Error(`hash tree: node ${below} is missing`);
    applyToNode(store, below, node, group);
    return collapse(store, below, node, true);
  }
  const leaves = new Map<string, LeafChange>();
  if (child?.key !== undefined) leaves.set(child.key, { key: child.key, hash: child.hash });
  for (const change of group) {
    if (change.hash) leaves.set(change.key, change);
    else leaves.delete(change.key);
  }
  if (leaves.size < 2) return asLeaf([...leaves.values()][0]);
  const node = emptyNode();
  applyToNode(store, below, node, [...leaves.values()]);
  return collapse(store, below, node, false);
}

const asLeaf = (leaf: LeafChange | undefined): Child | undefined => leaf?.hash && { hash: leaf.hash, key: leaf.key };

/** Stores a changed inner node, or returns its only leaf in place of it. */
function collapse(store: NodeStore, path: string, node: Children, existed: boolean): Child | undefined {
  const present = node.filter(child => child !== undefined);
  const only = present.length === 1 ? present[0] : undefined;
  if (present.length === 0 || only?.key !== undefined) {
    if (existed) store.delete(path);
    return only;
  }
  saveNode(store, path, node);
  return { hash: hashNode(node), key: undefined };
}

function bySlot(changes: readonly LeafChange[], depth: number): Map<number, LeafChange[]> {
  const groups = new Map<number, LeafChange[]>();
  for (const change of changes) {
    const slot = Number.parseInt(change.key.charAt(depth), 16);
    const group = groups.get(slot);
    if (group) group.push(change);
    else groups.set(slot, [change]);
  }
  return groups;
}

const NO_HASH = Buffer.alloc(32);
const emptyNode = (): Children => new Array<Child | undefined>(16).fill(undefined);
const hashNode = (node: Children): Buffer => sha512Half(INNER_NODE, ...node.map(child => child?.hash ?? NO_HASH));

/** Stored form: mask of children, mask of leaves (16 bits each), then per child its hash and, for a leaf, its key. */
function saveNode(store: NodeStore, path: string, node: Children): void {
  const masks = Buffer.alloc(4);
  const parts: Buffer[] = [masks];
  let present = 0;
  let leaves = 0;
  node.forEach((child, slot) => {
    if (!child) return;
    present |= 1 << slot;
    parts.push(child.hash);
    if (child.key === undefined) return;
    leaves |= 1 << slot;
    parts.push(fromHex(child.key));
  });
  masks.writeUInt16BE(present, 0);
  masks.writeUInt16BE(leaves, 2);
  store.set(path, Buffer.concat(parts));
}

function loadNode(store: NodeStore, path: string): Children | undefined {
  const bytes = store.get(path);
  if (!bytes) return undefined;
  const present = bytes.readUInt16BE(0);
  const leaves = bytes.readUInt16BE(2);
  const node = emptyNode();
  let at = 4;
  const next = () => {
    at += 32;
    return bytes.subarray(at - 32, at);
  };
  for (let slot = 0; slot < 16; slot++) {
    if (!(present & (1 << slot))) continue;
    const hash = next();
    node[slot] = { hash, key: leaves & (1 << slot) ? toHex(next()) : undefined };
  }
  return node;
}

/** Four-byte hash prefixes of the XRP Ledger. They keep hashes of different kinds of data apart. */
const prefix = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(1)]);
export const TRANSACTION_ID = prefix('TXN');
export const TRANSACTION_LEAF = prefix('SND');
export const STATE_LEAF = prefix('MLN');
const INNER_NODE = prefix('MIN');
const LEDGER_HEADER = prefix('LWR');

export const ZERO_HASH = '0'.repeat(64);

export function sha512Half(...parts: Uint8Array[]): Buffer {
  return hash('sha512', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer').subarray(0, 32);
}

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase();
export const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');
export const uint = (value: number | bigint, bytes: number): Buffer =>
  fromHex(value.toString(16).padStart(2 * bytes, '0'));

/** Hex digits of any case and count -> whole bytes in upper case, as servers read them; undefined: it is no hex. */
export function parseHex(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[0-9A-Fa-f]+$/.test(text)) return undefined;
  return (text.length % 2 ? `0${text}` : text).toUpperCase();
}

/** 64 hex digits in either case -> upper case; undefined: it is no hash. */
export const parseHash = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[0-9A-Fa-f]{64}$/.test(text) ? text.toUpperCase() : undefined;

/** The length prefix of a variable-length field: one to three bytes. Throws `RangeError` above 918744. */
export function variableLength(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  if (length <= 12_480) return Buffer.of(193 + ((length - 193) >>> 8), (length - 193) & 0xff);
  if (length > 918_744) throw new RangeError('too long for a variable-length field');
  const rest = length - 12_481;
  return Buffer.of(241 + (rest >>> 16), (rest >>> 8) & 0xff, rest & 0xff);
}

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

export function humanOf(time: number): string {
  const [, day, month, year, clock] = new Date((time + RIPPLE_EPOCH) * 1000).toUTCString().split(/,? /);
  return `${year}-${month}-${day} ${clock}.000000000 UTC`;
}

/** The present time as servers write it: microseconds, where a close time has nanoseconds. */
export function humanNow(epochMs: number): string {
  const fraction = new Date(epochMs).toISOString().slice(20, 23);
  return humanOf(rippleTime(epochMs)).replace('.000000000', `.${fraction}000`);
}

export const headerBytes = (header: Omit<LedgerHeader, 'hash'>): Buffer =>
  Buffer.concat([
    uint(header.index, 4),
    uint(header.totalCoins, 8),
    ...[header.parentHash, header.transactionHash, header.accountHash].map(fromHex),
    uint(header.parentCloseTime, 4),
    uint(header.closeTime, 4),
    // No flags.
    Buffer.of(CLOSE_TIME_RESOLUTION, 0),
  ]);

export const sealHeader = (header: Omit<LedgerHeader, 'hash'>): LedgerHeader => ({
  ...header,
  hash: toHex(sha512Half(LEDGER_HEADER, headerBytes(header))),
});

/** The first epoch milliseconds with a rounded close time later than `time`. */
export const epochMsAfter = (time: number): number => (time + CLOSE_TIME_RESOLUTION + RIPPLE_EPOCH) * 1000;
