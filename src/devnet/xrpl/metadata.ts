import { encode } from 'ripple-binary-codec';
import { ACCOUNT_FIELDS, isThreaded } from './definitions.ts';
import { areEqual, type Entry, type EntryChange } from './entries.ts';
import { fromHex, ZERO_HASH } from './hash-tree.ts';
import type { Amount, TokenAmount } from './quantities.ts';
import { accountId, type TransactionJson } from './signature.ts';
import type { LinkedAccount, Outcome } from './transactors/apply.ts';

/** The effects of a transaction, stored next to it in the ledger (XRPL-4.3). */
export interface Metadata {
  readonly AffectedNodes: readonly Record<string, AffectedNode>[];
  /** Of an AccountDelete, and of a payment that delivered less than its Amount. */
  readonly DeliveredAmount?: Amount;
  readonly TransactionIndex: number;
  readonly TransactionResult: string;
}

interface AffectedNode {
  readonly LedgerEntryType: string;
  readonly LedgerIndex: string;
  readonly NewFields?: Record<string, unknown>;
  readonly FinalFields?: Record<string, unknown>;
  readonly PreviousFields?: Record<string, unknown>;
  readonly PreviousTxnID?: string;
  readonly PreviousTxnLgrSeq?: number;
}

export interface Placement {
  readonly hash: string;
  readonly ledgerIndex: number;
  readonly position: number;
}

const NEVER = new Set(['LedgerEntryType', 'Indexes', 'Hashes', 'Amendments']);
const THREAD = new Set(['PreviousTxnID', 'PreviousTxnLgrSeq']);
const ALWAYS = new Set(['RootIndex']);

/**
 * The metadata of a transaction, and its changes with the new PreviousTxnID. The state must take these changes instead
 * of those of the outcome.
 */
export function describeOutcome(outcome: Outcome, place: Placement): { meta: Metadata; changes: EntryChange[] } {
  const changes = outcome.changes.map(change => ({ ...change, after: change.after && threaded(change.after, place) }));
  const nodes = [
    ...changes.map((change, n) => affectedNode(change, outcome.changes[n]?.after)),
    ...outcome.linked.flatMap(linkedNode),
  ];
  const meta = {
    AffectedNodes: nodes.sort((a, b) => (indexOf(a) < indexOf(b) ? -1 : 1)),
    ...(outcome.delivered === undefined ? {} : { DeliveredAmount: outcome.delivered }),
    TransactionIndex: place.position,
    TransactionResult: outcome.result,
  };
  const linked = outcome.linked.map(({ key, account }) => ({ key, before: account, after: threaded(account, place) }));
  return { meta, changes: [...changes, ...linked] };
}

const indexOf = (node: Record<string, AffectedNode>): string => Object.values(node)[0]?.LedgerIndex ?? '';

/** An account that only points to the transaction from now on. */
function linkedNode({ key, account }: LinkedAccount): Record<string, AffectedNode>[] {
  const link = threadOf(account);
  if (link.PreviousTxnID === undefined) return [];
  return [{ ModifiedNode: { LedgerEntryType: account.LedgerEntryType, LedgerIndex: key, ...link } }];
}

function threaded(entry: Entry, place: Placement): Entry {
  if (!isThreaded(entry.LedgerEntryType)) return entry;
  return { ...entry, PreviousTxnID: place.hash, PreviousTxnLgrSeq: place.ledgerIndex };
}

function affectedNode(change: EntryChange, written: Entry | undefined): Record<string, AffectedNode> {
  const { key, before, after, erased = before } = change;
  const node = { LedgerEntryType: (after ?? before)?.LedgerEntryType ?? '', LedgerIndex: key };
  if (!before) return { CreatedNode: { ...node, NewFields: select(after, (name, value) => !isDefault(name, value)) } };
  const last = after ?? erased;
  const previous = last ? select(before, (name, value) => !areEqual(value, last[name])) : {};
  const withPrevious = Object.keys(previous).length ? { PreviousFields: previous } : {};
  if (!after) return { DeletedNode: { ...node, ...withPrevious, FinalFields: select(erased, () => true, true) } };
  const finals = { FinalFields: select(after, () => true) };
  return { ModifiedNode: { ...node, ...withPrevious, ...finals, ...threadOf(written) } };
}

/** An entry that was deleted and created again in one transaction has no previous transaction. */
function threadOf(written: Entry | undefined): Pick<AffectedNode, 'PreviousTxnID' | 'PreviousTxnLgrSeq'> {
  const id = written?.PreviousTxnID as string | undefined;
  if (id === undefined || id === ZERO_HASH) return {};
  return { PreviousTxnID: id, PreviousTxnLgrSeq: written?.PreviousTxnLgrSeq as number };
}

function select(entry: Entry | undefined, keep: (name: string, value: unknown) => boolean, withThread = false) {
  const fields = Object.entries(entry ?? {});
  return Object.fromEntries(
    fields.filter(([name, value]) => !NEVER.has(name) && (withThread || !THREAD.has(name)) && keep(name, value)),
  );
}

function isDefault(name: string, value: unknown): boolean {
  if (ALWAYS.has(name)) return false;
  return value === 0 || value === '' || (typeof value === 'string' && /^0+$/.test(value));
}

export const metadataBytes = (meta: Metadata): Buffer => fromHex(encode({ ...meta }));

/** An issuer in one of these fields of an entry has the transaction in its history, too. */
const AMOUNT_FIELDS = ['LowLimit', 'HighLimit', 'TakerPays', 'TakerGets'];

/** The accounts that have a transaction in their history: those in the entries that it changed. */
export const affectedAccounts = (meta: Metadata): Set<string> =>
  new Set(
    meta.AffectedNodes.flatMap(wrapped => Object.values(wrapped))
      .flatMap(node => [node.NewFields ?? {}, node.FinalFields ?? {}])
      .flatMap(fields => [...addressesIn(fields), ...issuersIn(AMOUNT_FIELDS.map(name => fields[name]))]),
  );

/** The accounts in a transaction's own fields. They are notified of it before it is in a ledger. */
export const mentionedAccounts = (json: TransactionJson): Set<string> =>
  new Set([...addressesIn(json), ...issuersIn(Object.values(json))]);

const addressesIn = (fields: Readonly<Record<string, unknown>>): string[] =>
  ACCOUNT_FIELDS.map(name => fields[name]).filter((address): address is string => accountId(address) !== undefined);

const issuersIn = (values: readonly unknown[]): string[] => values.filter(isTokenAmount).map(({ issuer }) => issuer);

const isTokenAmount = (value: unknown): value is TokenAmount =>
  value !== null && typeof value === 'object' && 'issuer' in value;
