import {
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type Head,
  type IncomingPage,
  type IncomingTransfer,
  type ValueTransfer,
} from '../port.ts';
import type { XrplConnection } from './connection.ts';
import { genesisOf, isAnotherGenesis, ledgerAt, validatedLedger } from './ledgers.ts';

/**
 * Reads `account_tx` over validated ledgers. The range of the answer must equal the range of the request: a server that
 * clamps it, or lacks ledgers, would make us skip money. Only `delivered_amount` counts.
 */
const LEDGERS_PER_STEP = 2_000;
/** Behind a load balancer the newest ledger may go back by this many. */
const LAG = 16;
const PAGE = 200;

interface Entry {
  validated?: boolean;
  hash: string;
  ledger_index: number;
  ledger_hash: string;
  close_time_iso: string;
  meta?: PaymentMeta;
  tx_json: PaymentFields;
}
interface PaymentMeta {
  TransactionResult?: string;
  delivered_amount?: unknown;
}
export interface PaymentFields {
  TransactionType?: string;
  Account: string;
  Destination?: string;
  DestinationTag?: number;
}
interface AccountTx {
  ledger_index_min: number;
  ledger_index_max: number;
  transactions: Entry[];
  marker?: unknown;
}
type Range = { ledger_index_min: number; ledger_index_max: number };

export async function readIncoming(
  connection: XrplConnection,
  cursor: Cursor | null,
  accounts: ReadonlySet<string>,
): Promise<{ page: IncomingPage; head: Head }> {
  const head = await validatedLedger(connection);
  return { page: await readUpTo(connection, head, cursor, accounts), head };
}

async function readUpTo(
  connection: XrplConnection,
  head: Head,
  cursor: Cursor | null,
  accounts: ReadonlySet<string>,
): Promise<IncomingPage> {
  if (!cursor) return { transfers: [], cursor: await cursorAt(connection, head), caughtUp: true };
  if (await isAtHead(connection, cursor, head)) return { transfers: [], cursor, caughtUp: true };

  const last = Math.min(head.height, cursor.height + LEDGERS_PER_STEP);
  const range = { ledger_index_min: cursor.height + 1, ledger_index_max: last };
  const transfers: IncomingTransfer[] = [];
  for (const account of accounts) transfers.push(...(await readAccount(connection, account, range)));
  const end = last === head.height ? head : await ledgerAt(connection, last);
  if (!end) throw new ChainUnreachable(`the server does not have ledger ${last}`);
  return {
    transfers: transfers.sort((one, other) => one.height - other.height),
    cursor: { height: end.height, hash: end.hash, genesis: cursor.genesis },
    caughtUp: last === head.height,
  };
}

async function cursorAt(connection: XrplConnection, { height, hash }: Head): Promise<Cursor> {
  return { height, hash, genesis: await genesisOf(connection) };
}

/** Also checks that the cursor belongs to this chain: validated ledgers are never replaced. */
async function isAtHead(connection: XrplConnection, cursor: Cursor, head: Head): Promise<boolean> {
  if (cursor.height > head.height) {
    if (isAnotherGenesis(cursor.genesis, await genesisOf(connection)))
      throw new ChainReset('the ledger has another beginning');
    if (cursor.height - head.height > LAG)
      throw new ChainReset(`the newest ledger is ${head.height}, far before ${cursor.height}`);
    return true;
  }
  const read = cursor.height === head.height ? head : await ledgerAt(connection, cursor.height);
  if (!read) throw new ChainUnreachable(`the server does not have ledger ${cursor.height}`);
  if (read.hash !== cursor.hash) throw new ChainReset(`ledger ${cursor.height} is another one`);
  return cursor.height === head.height;
}

async function readAccount(
  connection: XrplConnection,
  account: string,
  range: Range,
): Promise<IncomingTransfer[]> {
  const transfers: IncomingTransfer[] = [];
  let marker: unknown;
  do {
    // The server refuses a range that it does not cover (lgrIdxMalformed): a gap stops the reading.
    const fields = { account, ...range, forward: true, limit: PAGE, marker };
    const page = await connection.request<AccountTx>('account_tx', fields);
    if (page.ledger_index_min !== range.ledger_index_min || page.ledger_index_max !== range.ledger_index_max)
      throw new ChainUnreachable(`the server does not have all ledgers of ${textOf(range)}`);
    for (const entry of page.transactions) {
      const transfer = transferOf(entry, account);
      if (transfer) transfers.push(transfer);
    }
    marker = page.marker;
  } while (marker !== undefined);
  return transfers;
}

function transferOf(entry: Entry, account: string): IncomingTransfer | undefined {
  const transfer = entry.validated === true ? valueTransferOf(entry.tx_json, entry.meta) : undefined;
  if (transfer?.to.account !== account) return undefined;
  return {
    ...transfer,
    txHash: entry.hash,
    height: entry.ledger_index,
    blockHash: entry.ledger_hash,
    at: Date.parse(entry.close_time_iso),
    final: true,
  };
}

/** The XRP that a successful payment has delivered. Undefined: it has moved none. */
export function valueTransferOf(payment: PaymentFields, meta?: PaymentMeta): ValueTransfer | undefined {
  if (meta?.TransactionResult !== 'tesSUCCESS') return undefined;
  const { TransactionType, Account, Destination: account, DestinationTag: tag } = payment;
  if (TransactionType !== 'Payment' || account === undefined) return undefined;
  // Drops are a string; an object is another currency.
  if (typeof meta.delivered_amount !== 'string' || !/^\d+$/.test(meta.delivered_amount)) return undefined;
  return {
    index: 0,
    from: Account,
    to: tag === undefined ? { account } : { account, tag },
    amount: BigInt(meta.delivered_amount),
  };
}

const textOf = (range: Range): string => `${range.ledger_index_min}-${range.ledger_index_max}`;
