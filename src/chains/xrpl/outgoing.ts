import { createHash } from 'node:crypto';
import type { OutgoingPayment } from '../outgoing-payment.ts';
import type { XrplConnection } from './connection.ts';

interface Entry {
  validated?: boolean;
  hash: string;
  tx_json: {
    Account: string;
    Sequence: number;
    Fee: string;
    TransactionType: string;
    Destination?: string;
    DestinationTag?: number;
    InvoiceID?: string;
    Amount?: unknown;
    DeliverMax?: unknown;
  };
}
interface AccountTx {
  transactions: Entry[];
  marker?: unknown;
}

const PAGE = 200;
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
  let marker: unknown;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const fields = { account, ...range, forward: false, limit: PAGE, marker };
    const page = await connection.request<AccountTx>('account_tx', fields);
    const own = page.transactions.filter(entry => entry.validated && entry.tx_json.Account === account);
    const wanted = own.filter(({ tx_json }) => tx_json.Sequence >= fromSequence);
    found.push(...wanted.map(paymentOf));
    marker = page.marker;
    if (marker === undefined || wanted.length < own.length) break;
  }
  return found.reverse();
}

function paymentOf({ hash, tx_json: transaction }: Entry): OutgoingPayment {
  const { Destination, DestinationTag, InvoiceID, TransactionType, Amount, DeliverMax } = transaction;
  const drops = TransactionType === 'Payment' ? (DeliverMax ?? Amount) : undefined;
  return {
    sequence: transaction.Sequence,
    hash,
    to: { account: Destination ?? '', ...(DestinationTag === undefined ? {} : { tag: DestinationTag }) },
    amount: typeof drops === 'string' ? BigInt(drops) : 0n,
    fee: { drops: transaction.Fee },
    ...(InvoiceID === undefined ? {} : { reference: InvoiceID }),
  };
}

/** 256 bits that name what the payment is for. */
export const invoiceIdOf = (reference: string): string =>
  createHash('sha256').update(reference).digest('hex').toUpperCase();
