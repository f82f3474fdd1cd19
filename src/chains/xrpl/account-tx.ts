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
interface AccountTx {
  ledger_index_min: number;
  ledger_index_max: number;
  transactions: AccountEntry[];
  marker?: unknown;
}
export interface LedgerRange {
  ledger_index_min: number;
  ledger_index_max: number;
}

const PAGE = 200;

/**
 * The history of an account over validated ledgers. The range of the answer must equal the range of the request: a server
 * that clamps it, or lacks ledgers, would make us skip money. Throws `ChainUnreachable`.
 */
export async function readAccount(
  connection: XrplConnection,
  account: string,
  range: LedgerRange,
): Promise<AccountEntry[]> {
  const entries: AccountEntry[] = [];
  let marker: unknown;
  do {
    // The server refuses a range that it does not cover (lgrIdxMalformed): a gap stops the reading.
    const fields = { account, ...range, forward: true, limit: PAGE, marker };
    const page = await connection.request<AccountTx>('account_tx', fields);
    if (page.ledger_index_min !== range.ledger_index_min || page.ledger_index_max !== range.ledger_index_max)
      throw new ChainUnreachable(
        `the server does not have all ledgers of ${range.ledger_index_min}-${range.ledger_index_max}`,
      );
    entries.push(...page.transactions);
    marker = page.marker;
  } while (marker !== undefined);
  return entries;
}
