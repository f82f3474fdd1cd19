import { ChainUnreachable } from '../port.ts';
import type { XrplConnection } from './connection.ts';
import type { XrplMetadata, XrplTransaction } from './deliveries.ts';

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
export interface LedgerRange {
  ledger_index_min: number;
  ledger_index_max: number;
}
interface AccountTx extends LedgerRange {
  transactions: AccountEntry[];
  marker?: unknown;
}

const PAGE = 200;

/** The pages of an account's history. Throws `ChainUnreachable`. */
export async function* accountPages(
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
