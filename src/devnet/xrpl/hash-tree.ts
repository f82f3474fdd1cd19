import { fromHex, INNER_NODE, sha512Half, toHex, ZERO_HASH } from './hash.ts';

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
