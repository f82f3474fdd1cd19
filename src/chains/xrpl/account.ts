import { createHash } from 'node:crypto';
import type { AccountInfoResponse } from 'xrpl';
import type { Numbers, Outgoing, OutgoingPayment } from '../payments.ts';
import { type Balance, type ChainAddress, ChainUnreachable, type ValueTransfer } from '../port.ts';
import { serverInfo, toDrops, type XrplConnection, XrplRefusal } from './connection.ts';

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
const dropsIn = (amount: unknown): bigint | undefined =>
  typeof amount === 'string' && /^\d+$/.test(amount) ? BigInt(amount) : undefined;

const addressOf = (account: string, tag: number | undefined) => (tag === undefined ? { account } : { account, tag });

/** Undefined: the account does not exist. `current` includes transactions that wait for the next ledger. */
async function accountInfo(connection: XrplConnection, account: string, ledger: 'validated' | 'current') {
  try {
    const fields = { account, ledger_index: ledger };
    return await connection.request<AccountInfoResponse['result']>('account_info', fields, ['actNotFound']);
  } catch (error) {
    if (error instanceof XrplRefusal) return undefined;
    throw error;
  }
}

/** A new account's Sequence begins with the index of the ledger that creates it; until then the answer is 0. */
export async function numbersOf(connection: XrplConnection, account: string): Promise<Numbers> {
  const validated = await accountInfo(connection, account, 'validated');
  const current = await accountInfo(connection, account, 'current');
  return {
    next: current?.account_data.Sequence ?? 0,
    finalized: validated?.account_data.Sequence ?? 0,
    height: validated?.ledger_index ?? 0,
  };
}

const REQUIRE_DESTINATION_TAG = 0x0002_0000;

const ZERO_ACCOUNT = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

/**
 * D-49: no server takes a payment to the zero account. D-32: one without a tag to an account that requires one costs the
 * fee and pays nothing.
 */
export async function whyUnpayable(
  connection: XrplConnection,
  { account, tag }: ChainAddress,
): Promise<string | undefined> {
  if (account === ZERO_ACCOUNT) return `${account} is the zero account, which no payment can reach`;
  if (tag !== undefined) return undefined;
  const data = (await accountInfo(connection, account, 'validated'))?.account_data;
  if (!data || (data.Flags & REQUIRE_DESTINATION_TAG) === 0) return undefined;
  return `${account} requires a destination tag, and the verification names none: a payment would fail with tecDST_TAG_NEEDED`;
}

export async function balanceOf(connection: XrplConnection, account: string): Promise<Balance> {
  const data = (await accountInfo(connection, account, 'validated'))?.account_data;
  if (!data) return { total: 0n, spendable: 0n };
  const { validated_ledger: ledger } = await serverInfo(connection);
  const reserve = toDrops(ledger.reserve_base_xrp) + BigInt(data.OwnerCount) * toDrops(ledger.reserve_inc_xrp);
  const total = BigInt(data.Balance);
  return { total, spendable: total > reserve ? total - reserve : 0n };
}

/** A transaction in the history of an account. */
export interface AccountEntry {
  validated?: boolean;
  hash: string;
  ledger_index: number;
  ledger_hash: string;
  close_time_iso: string;
  meta?: XrplMetadata;
  tx_json: XrplTransaction;
}
interface LedgerRange {
  ledger_index_min: number;
  ledger_index_max: number;
}
interface AccountTx extends LedgerRange {
  transactions: AccountEntry[];
  marker?: unknown;
}

const PAGE = 200;

/** The pages of an account's history. Throws `ChainUnreachable`. */
async function* accountPages(
  connection: XrplConnection,
  fields: LedgerRange & { account: string; forward: boolean },
): AsyncGenerator<AccountTx> {
  let marker: unknown;
  do {
    const page = await connection.request<AccountTx>('account_tx', { ...fields, limit: PAGE, marker });
    yield page;
    marker = page.marker;
  } while (marker !== undefined);
}

/** The history of an account over validated ledgers. Throws `ChainUnreachable`. */
export async function readAccount(
  connection: XrplConnection,
  account: string,
  range: LedgerRange,
): Promise<AccountEntry[]> {
  const entries: AccountEntry[] = [];
  // The server refuses a range that it does not cover (lgrIdxMalformed): a gap stops the reading.
  for await (const page of accountPages(connection, { account, ...range, forward: true })) {
    requireRange(page, range);
    entries.push(...page.transactions);
  }
  return entries;
}

const MAX_PAGES = 50;
const ALL = -1;
/** Of an account that is as old as its ledger. */
const FIRST_SEQUENCE = 1;

/** As `Sending.outgoing`. `after` 0: as far back as the server has ledgers. */
export async function outgoing(
  connection: XrplConnection,
  account: string,
  fromSequence: number,
  { after, newest }: { after: number; newest: number },
): Promise<Outgoing> {
  if (newest <= after) return { payments: [], upTo: after };
  const range = { ledger_index_min: after > 0 ? after + 1 : ALL, ledger_index_max: newest };
  const entries: AccountEntry[] = [];
  let pages = 0;
  let upTo = newest;
  for await (const page of accountPages(connection, { account, ...range, forward: true })) {
    requireRange(page, range);
    entries.push(...page.transactions);
    if (++pages < MAX_PAGES || page.marker === undefined) continue;
    upTo = entries.at(-1)!.ledger_index - 1;
    break;
  }
  const read = entries.filter(({ ledger_index }) => ledger_index <= upTo);
  const begins = read.flatMap(({ meta }) => startIn(meta, account) ?? []).at(-1) ?? FIRST_SEQUENCE;
  const payments = read
    .filter(({ tx_json }) => tx_json.Account === account && (tx_json.Sequence ?? 0) > 0)
    .map(paymentOf)
    .filter(({ next }) => next > fromSequence && next > begins);
  return { payments, upTo, begins };
}

/** A server that clamps the range, or lacks ledgers, would make us skip money. */
function requireRange(page: LedgerRange, { ledger_index_min: first, ledger_index_max: last }: LedgerRange): void {
  if ((first !== ALL && page.ledger_index_min !== first) || page.ledger_index_max !== last)
    throw new ChainUnreachable(`the server does not have all ledgers of ${first}-${last}`);
}

/** The first Sequence of an account that this transaction has created. */
const startIn = ({ AffectedNodes = [] }: XrplMetadata = {}, account: string): number | undefined =>
  AffectedNodes.map(({ CreatedNode: created }) => created).find(
    created => created?.LedgerEntryType === 'AccountRoot' && created.NewFields?.Account === account,
  )?.NewFields?.Sequence;

function paymentOf({ hash, tx_json: transaction }: AccountEntry): OutgoingPayment {
  const { Destination = '', DestinationTag, InvoiceID, TransactionType, Amount, DeliverMax } = transaction;
  const { Sequence: sequence = 0, TicketCount: tickets = 0 } = transaction;
  const drops = TransactionType === 'Payment' ? dropsIn(DeliverMax ?? Amount) : undefined;
  return {
    sequence,
    // Tickets are numbers that other transactions use later.
    next: sequence + 1 + tickets,
    hash,
    to: addressOf(Destination, DestinationTag),
    amount: drops ?? 0n,
    fee: { drops: transaction.Fee! },
    ...(InvoiceID === undefined ? {} : { reference: InvoiceID }),
  };
}

/** 256 bits that name what the payment is for. */
export const invoiceIdOf = (reference: string): string =>
  createHash('sha256').update(reference).digest('hex').toUpperCase();
