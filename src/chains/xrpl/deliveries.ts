import type { ValueTransfer } from '../port.ts';

/** The XRP that a transaction delivered. Issued currencies do not count. */

export interface XrplTransaction {
  TransactionType?: string;
  Account: string;
  Destination?: string;
  DestinationTag?: number;
  Amount?: unknown;
  DeliverMax?: unknown;
  InvoiceID?: string;
  Fee?: string;
  Sequence?: number;
  TicketSequence?: number;
  TicketCount?: number;
}
export interface XrplMetadata {
  TransactionResult?: string;
  delivered_amount?: unknown;
  AffectedNodes?: Record<string, LedgerNode>[];
}
interface LedgerNode {
  LedgerEntryType?: string;
  FinalFields?: Fields;
  PreviousFields?: Fields;
  NewFields?: Fields;
}
interface Fields {
  Account?: string;
  Sequence?: number;
  Balance?: unknown;
  Destination?: string;
  DestinationTag?: number;
}

/** D-25: a Payment has one transfer, `delivered_amount`. Every other type has one for each account that gained. */
export function deliveriesOf(transaction: XrplTransaction, meta: XrplMetadata): ValueTransfer[] {
  if (meta.TransactionResult !== 'tesSUCCESS') return [];
  const { TransactionType: type = '', Account: from, Destination: account } = transaction;
  if (type !== 'Payment') return gainsOf(transaction, type, meta);
  const drops = dropsIn(meta.delivered_amount);
  if (drops === undefined || account === undefined) return [];
  return [{ index: 0, from, to: addressOf(account, transaction.DestinationTag), amount: drops }];
}

/** What an EscrowCreate has locked. Only the EscrowFinish delivers it. */
export function escrowedIn(
  { TransactionType, Destination: account, DestinationTag, Amount }: XrplTransaction,
  meta: XrplMetadata,
): Pick<ValueTransfer, 'to' | 'amount'> | undefined {
  if (TransactionType !== 'EscrowCreate' || meta.TransactionResult !== 'tesSUCCESS') return undefined;
  const amount = dropsIn(Amount);
  if (amount === undefined || account === undefined) return undefined;
  return { to: addressOf(account, DestinationTag), amount };
}

function gainsOf(transaction: XrplTransaction, via: string, meta: XrplMetadata): ValueTransfer[] {
  const nodes = (meta.AffectedNodes ?? []).flatMap(node => Object.values(node));
  const gains: ValueTransfer[] = [];
  for (const node of nodes) {
    const { Account: account } = node.FinalFields ?? node.NewFields ?? {};
    if (node.LedgerEntryType !== 'AccountRoot' || account === undefined) continue;
    const change = changeOf(node);
    if (change === undefined) continue;
    const amount = account === transaction.Account ? change + BigInt(transaction.Fee ?? 0) : change;
    if (amount <= 0n) continue;
    const source = sourceOf(transaction, nodes, account);
    const to = addressOf(account, source.DestinationTag);
    gains.push({ index: gains.length, from: source.Account ?? transaction.Account, to, amount, via });
  }
  return gains;
}

/** Undefined: the balance is as before. */
function changeOf({ FinalFields, PreviousFields, NewFields }: LedgerNode): bigint | undefined {
  const after = dropsIn((FinalFields ?? NewFields)?.Balance);
  const before = NewFields ? 0n : dropsIn(PreviousFields?.Balance);
  return after === undefined || before === undefined ? undefined : after - before;
}

/** The transaction, or the escrow, check or channel that names this account as its destination. */
const sourceOf = (transaction: XrplTransaction, nodes: LedgerNode[], account: string): Fields =>
  transaction.Destination === account
    ? transaction
    : (nodes.find(({ FinalFields }) => FinalFields?.Destination === account)?.FinalFields ?? {});

/** Drops are a string; an object is an issued currency. */
export const dropsIn = (amount: unknown): bigint | undefined =>
  typeof amount === 'string' && /^\d+$/.test(amount) ? BigInt(amount) : undefined;

export const addressOf = (account: string, tag: number | undefined) =>
  tag === undefined ? { account } : { account, tag };
