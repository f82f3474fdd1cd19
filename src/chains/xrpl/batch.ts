import type { InnerTransaction } from '../port.ts';
import { readAccount } from './account-tx.ts';
import type { XrplConnection } from './connection.ts';
import { deliveriesOf, type XrplTransaction } from './deliveries.ts';

/** D-37: a Batch moves nothing itself. Its inner transactions stand in the same ledger, each with its own hash. */

interface Batch extends XrplTransaction {
  RawTransactions: readonly { RawTransaction: XrplTransaction }[];
}

export const isBatch = (transaction: XrplTransaction): transaction is Batch =>
  transaction.TransactionType === 'Batch' && Array.isArray((transaction as Partial<Batch>).RawTransactions);

/** The inner transactions that paid `account`. Throws `ChainUnreachable`. */
export async function innerOf(
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
