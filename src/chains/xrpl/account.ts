import { createHash } from 'node:crypto';
import type { OutgoingPayment } from '../payments.ts';
import { type Balance, type ChainAddress, ChainUnreachable } from '../port.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';
import { addressOf, dropsIn, type XrplMetadata, type XrplTransaction } from './deliveries.ts';
import { serverInfo, toDrops } from './server-info.ts';

interface AccountData {
  Balance: string;
  Flags: number;
  OwnerCount: number;
  Sequence: number;
}

/** Undefined: the account does not exist. `current` includes transactions that wait for the next ledger. */
async function accountData(connection: XrplConnection, account: string, ledger: 'validated' | 'current') {
  try {
    const fields = { account, ledger_index: ledger };
    return (await connection.request<{ account_data: AccountData }>('account_info', fields, ['actNotFound']))
      .account_data;
  } catch (error) {
    if (error instanceof XrplRefusal) return undefined;
    throw error;
  }
}

/** A new account's Sequence begins with the index of the ledger that creates it; until then the answer is 0. */
export async function sequenceOf(
  connection: XrplConnection,
  account: string,
  ledger: 'validated' | 'current',
): Promise<number> {
  return (await accountData(connection, account, ledger))?.Sequence ?? 0;
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
  const data = await accountData(connection, account, 'validated');
  if (!data || (data.Flags & REQUIRE_DESTINATION_TAG) === 0) return undefined;
  return `${account} requires a destination tag, and the verification names none: a payment would fail with tecDST_TAG_NEEDED`;
}

export async function balanceOf(connection: XrplConnection, account: string): Promise<Balance> {
  const data = await accountData(connection, account, 'validated');
  if (!data) return { total: 0n, spendable: 0n };
  const { validated_ledger: ledger } = await serverInfo(connection);
  const reserve =
    toDrops(ledger.reserve_base_xrp) + BigInt(data.OwnerCount) * toDrops(ledger.reserve_inc_xrp);
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

/**
 * The history of an account over validated ledgers. The range of the answer must equal the range of the request: a server
 * that clamps it, or lacks ledgers, would make us skip money. Throws `ChainUnreachable`.
 */
export async function readAccount(
  connection: XrplConnection,
  account: string,
  range: LedgerRange,
): Promise<AccountEntry[]> {
  const { ledger_index_min: first, ledger_index_max: last } = range;
  const entries: AccountEntry[] = [];
  // The server refuses a range that it does not cover (lgrIdxMalformed): a gap stops the reading.
  for await (const page of accountPages(connection, { account, ...range, forward: true })) {
    if (page.ledger_index_min !== first || page.ledger_index_max !== last)
      throw new ChainUnreachable(`the server does not have all ledgers of ${first}-${last}`);
    entries.push(...page.transactions);
  }
  return entries;
}

const MOST_PAGES = 50;

/** Newest first, until the sequences or the ledgers are older. */
export async function outgoing(
  connection: XrplConnection,
  account: string,
  fromSequence: number,
  after: number | undefined,
): Promise<OutgoingPayment[]> {
  const found: OutgoingPayment[] = [];
  const range = { ledger_index_min: after === undefined ? -1 : after + 1, ledger_index_max: -1 };
  let pages = 0;
  for await (const { transactions } of accountPages(connection, { account, ...range, forward: false })) {
    const own = transactions.filter(({ validated, tx_json }) => validated && tx_json.Account === account);
    const wanted = own.filter(({ tx_json }) => tx_json.Sequence! >= fromSequence);
    found.push(...wanted.map(paymentOf));
    if (++pages === MOST_PAGES || wanted.length < own.length) break;
  }
  return found.reverse();
}

function paymentOf({ hash, tx_json: transaction }: AccountEntry): OutgoingPayment {
  const { Destination = '', DestinationTag, InvoiceID, TransactionType, Amount, DeliverMax } = transaction;
  const drops = TransactionType === 'Payment' ? dropsIn(DeliverMax ?? Amount) : undefined;
  return {
    sequence: transaction.Sequence!,
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
