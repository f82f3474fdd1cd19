import { decodeAccountID } from 'ripple-address-codec';

/** A payment of XRP, with the names of its fields on the ledger. */
export interface XrpPayment {
  Account: string;
  Destination: string;
  /** Drops, as `Fee`. */
  Amount: string;
  Fee: string;
  Sequence: number;
  LastLedgerSequence: number;
  DestinationTag?: number;
  SourceTag?: number;
  NetworkID?: number;
  /** 64 hex digits. */
  InvoiceID?: string;
}

const PAYMENT = Buffer.from('120000', 'hex');
const NOTHING = Buffer.alloc(0);
/** An amount of XRP that is not negative. */
const POSITIVE_XRP = 1n << 62n;

/** The bytes of a payment. Without `signature`: those that are signed. The ledger wants this order of fields. */
export function paymentBytes(payment: XrpPayment, publicKey: Buffer, signature?: Buffer): Buffer {
  return Buffer.concat([
    PAYMENT,
    number('21', payment.NetworkID),
    number('23', payment.SourceTag),
    number('24', payment.Sequence),
    number('2e', payment.DestinationTag),
    number('201b', payment.LastLedgerSequence),
    payment.InvoiceID === undefined ? NOTHING : Buffer.from(`5011${payment.InvoiceID}`, 'hex'),
    drops('61', payment.Amount),
    drops('68', payment.Fee),
    withLength('73', publicKey),
    signature ? withLength('74', signature) : NOTHING,
    withLength('81', decodeAccountID(payment.Account)),
    withLength('83', decodeAccountID(payment.Destination)),
  ]);
}

function number(header: string, value: number | undefined): Buffer {
  if (value === undefined) return NOTHING;
  return Buffer.from(header + value.toString(16).padStart(8, '0'), 'hex');
}

const drops = (header: string, amount: string): Buffer =>
  Buffer.from(header + (POSITIVE_XRP | BigInt(amount)).toString(16), 'hex');

/** Of at most 192 bytes. */
const withLength = (header: string, value: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(header, 'hex'), Buffer.of(value.length), value]);
