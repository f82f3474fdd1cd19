import { createHash } from 'node:crypto';
import type { OutgoingPayment } from '../payments.ts';
import { type AccountEntry, accountPages } from './account-tx.ts';
import type { XrplConnection } from './connection.ts';
import { addressOf, dropsIn } from './deliveries.ts';

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
