import { decode, encode } from 'ripple-binary-codec';
import { BinaryParser } from 'ripple-binary-codec/dist/serdes/binary-parser.js';
import { fromHex, sha512Half, TRANSACTION_ID, toHex } from './hash-tree.ts';
import { signatureError, type Transaction, type TransactionJson } from './signature.ts';
import { localError, templateError } from './transactors/transactor.ts';

/** Answered as `invalidTransaction` with the message as `error_exception` (XRPL-1.3 submit). */
export class InvalidTransaction extends Error {
  override readonly name = 'InvalidTransaction';
}

const MAX_BYTES = 1_000_000;
const MIN_BYTES = 32;

/** `blob`: upper-case hex. Throws `InvalidTransaction`. */
export function parseTransaction(blob: string): Transaction {
  if (blob.length < MIN_BYTES * 2 || blob.length > MAX_BYTES * 2)
    throw new InvalidTransaction('Transaction length invalid');
  const json = decodeCanonical(blob);
  const wrong = templateError(json);
  if (wrong) throw new InvalidTransaction(wrong);
  const failed = signatureError(json) ?? localError(json);
  if (failed) throw new InvalidTransaction(`fails local checks: ${failed}`);
  return describe(blob, json);
}

/** A transaction in JSON whose signature nobody checks. Throws `InvalidTransaction`. */
export function unsignedTransaction(json: Record<string, unknown>): Transaction {
  let blob: string;
  try {
    requireFew(json);
    blob = encode(json);
  } catch (error) {
    throw new InvalidTransaction(error instanceof Error ? error.message.slice(0, 200) : 'Unencodable');
  }
  const canonical = decodeCanonical(blob);
  const wrong = templateError(canonical) ?? localError(canonical);
  if (wrong) throw new InvalidTransaction(wrong);
  return describe(blob, canonical);
}

/** The signed blob is stored as it is, so only the canonical encoding is accepted. */
function decodeCanonical(blob: string): TransactionJson {
  let json: Record<string, unknown>;
  let again: string;
  try {
    json = withZeroHash(decodeBlob(blob));
    again = encode(json);
  } catch (error) {
    throw new InvalidTransaction(reasonOf(error));
  }
  if (again !== blob) throw new InvalidTransaction('Transaction is not in canonical form');
  return json as TransactionJson;
}

/** The codec writes a zero hash of 128 bits as an empty text. */
const withZeroHash = (json: Record<string, unknown>): Record<string, unknown> =>
  json.EmailHash === '' ? { ...json, EmailHash: '0'.repeat(32) } : json;

/** An error of any other kind is a slip of the codec and says nothing about the bytes. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message.slice(0, 200) : 'Undecodable';

function describe(blob: string, json: TransactionJson): Transaction {
  const ticket = json.TicketSequence as number | undefined;
  return {
    hash: transactionHash(blob),
    blob,
    json,
    type: json.TransactionType,
    account: json.Account,
    fee: typeof json.Fee === 'string' ? BigInt(json.Fee) : undefined,
    flags: (json.Flags as number | undefined) ?? 0,
    sequence: json.Sequence,
    ticket: json.Sequence === 0 ? ticket : undefined,
    lastLedger: json.LastLedgerSequence as number | undefined,
  };
}

export const transactionHash = (blob: string): string => toHex(sha512Half(TRANSACTION_ID, fromHex(blob)));

/** Of a transaction, with those inside of others. The codec takes 0.1 ms for each, and no transactor takes as many. */
const MAX_MEMBERS = 2_000;

/** Throws for JSON that would take the codec long. */
export function requireFew(json: unknown): void {
  let members = 0;
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const inner = Object.values(value);
    members += inner.length;
    if (members > MAX_MEMBERS) throw new InvalidTransaction(TOO_MANY);
    inner.forEach(count);
  };
  count(json);
}

const TOO_MANY = `A transaction has at most ${MAX_MEMBERS} fields`;

/** Objects and arrays inside one another: a server takes no more. The time of the codec grows with the cube of it. */
const MAX_NESTED = 10;
const NESTING = new Set(['STObject', 'STArray']);
const ENDS = new Set(['ObjectEndMarker', 'ArrayEndMarker']);

/** `blob`: hex of an object of the ledger. Throws for other bytes, and for what is nested too deep. */
export function decodeBlob(blob: string): Record<string, unknown> {
  requireShallow(new BinaryParser(blob), MAX_NESTED, { left: MAX_MEMBERS });
  return decode(blob);
}

function requireShallow(parser: BinaryParser, levels: number, members: { left: number }): void {
  while (!parser.end()) {
    const field = parser.readField();
    if (--members.left < 0) throw new Error(TOO_MANY);
    // Against its type the codec returns nothing for a field that it does not know.
    if (!field) throw new Error('Unknown field');
    if (ENDS.has(field.name)) return;
    if (!NESTING.has(field.type.name)) parser.readFieldValue(field);
    else if (levels === 0) throw new Error('Maximum nesting depth of STVar exceeded');
    else requireShallow(parser, levels - 1, members);
  }
}
