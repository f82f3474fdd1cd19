import type { Execution, Head, InnerTransaction, TransactionLookup, TransactionState, Validity } from '../port.ts';
import { readAccount } from './account.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';
import { deliveriesOf, escrowedIn, type XrplMetadata, type XrplTransaction } from './deliveries.ts';

interface TxResult {
  validated?: boolean;
  ledger_index: number;
  ledger_hash: string;
  close_time_iso: string;
  tx_json: XrplTransaction;
  meta: XrplMetadata;
}

const HASH = /^[0-9A-F]{64}$/i;
/** The widest range that a server searches. */
const MAX_LEDGERS = 1_000;

/**
 * A transfer has expired only when its last ledger is validated and the server has searched every ledger that could
 * hold it. A server with a gap in its history proves nothing. `newest` reads the newest validated ledger.
 */
export async function stateOf(
  connection: XrplConnection,
  newest: () => Promise<Head>,
  txHash: string,
  validity?: Validity,
): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  // Read before the search: a ledger that is validated later was not searched.
  const range = validity && rangeOf(await newest(), validity);
  const found = await find(connection, { transaction: txHash, ...range });
  if ('searchedAll' in found) return { status: range && found.searchedAll ? 'expired' : 'unknown' };
  return stateFrom(found);
}

/** As `Chain.lookup`. */
export async function lookup(connection: XrplConnection, txHash: string, account?: string): Promise<TransactionLookup> {
  const missing: TransactionLookup = { state: { status: 'unknown' }, transfers: [] };
  if (!HASH.test(txHash)) return missing;
  const found = await find(connection, { transaction: txHash });
  if ('searchedAll' in found) return missing;
  const state = stateFrom(found);
  if (!found.validated) return { state, transfers: [] };
  const at = Date.parse(found.close_time_iso);
  const { tx_json, meta, ledger_index } = found;
  const inner = isBatch(tx_json) && account && (await innerOf(connection, tx_json, ledger_index, account));
  const transfers = deliveriesOf(tx_json, meta);
  const escrowed = escrowedIn(tx_json, meta);
  return { state, at, transfers, ...(inner ? { inner } : {}), ...(escrowed ? { escrowed } : {}) };
}

async function find(connection: XrplConnection, fields: object) {
  try {
    return await connection.request<TxResult>('tx', fields, ['txnNotFound']);
  } catch (error) {
    if (!(error instanceof XrplRefusal)) throw error;
    return { searchedAll: error.data.searched_all === true };
  }
}

function stateFrom({ validated, ledger_index, ledger_hash, meta }: TxResult): TransactionState {
  if (!validated) return { status: 'pending' };
  return { status: 'final', height: ledger_index, blockHash: ledger_hash, ...executionOf(meta) };
}

const executionOf = ({ TransactionResult: code = 'no result' }: XrplMetadata): Execution =>
  code === 'tesSUCCESS' ? { succeeded: true } : { succeeded: false, failure: code };

function rangeOf({ height }: Head, { signedAfter, lastLedgerSequence }: Validity) {
  if (height < lastLedgerSequence || lastLedgerSequence - signedAfter > MAX_LEDGERS) return undefined;
  return { min_ledger: signedAfter + 1, max_ledger: lastLedgerSequence };
}

/** D-37: a Batch moves nothing itself. Its inner transactions stand in the same ledger, each with its own hash. */

interface Batch extends XrplTransaction {
  RawTransactions: readonly { RawTransaction: XrplTransaction }[];
}

const isBatch = (transaction: XrplTransaction): transaction is Batch =>
  transaction.TransactionType === 'Batch' && Array.isArray((transaction as Partial<Batch>).RawTransactions);

/** The inner transactions that paid `account`. Throws `ChainUnreachable`. */
async function innerOf(
  connection: XrplConnection,
  { RawTransactions }: Batch,
  ledgerIndex: number,
  account: string,
): Promise<InnerTransaction[]> {
  const places = new Set(RawTransactions.map(({ RawTransaction }) => placeOf(RawTransaction)));
  const range = { ledger_index_min: ledgerIndex, ledger_index_max: ledgerIndex };
  return (await readAccount(connection, account, range))
    .filter(({ validated, tx_json }) => validated === true && places.has(placeOf(tx_json)))
    .map(({ hash, tx_json, meta = {} }) => ({
      txHash: hash,
      transfers: deliveriesOf(tx_json, meta).filter(({ to }) => to.account === account),
    }))
    .filter(({ transfers }) => transfers.length > 0);
}

/** One sender uses a Sequence or a ticket once. */
const placeOf = ({ Account, Sequence = 0, TicketSequence = 0 }: XrplTransaction): string =>
  `${Account} ${Sequence} ${TicketSequence}`;
