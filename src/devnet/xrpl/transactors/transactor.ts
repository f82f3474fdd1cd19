import { encode } from 'ripple-binary-codec';
import { ACCOUNT_FIELDS, ACCOUNT_FLAGS, formatOf, REQUIRED } from '../definitions.ts';
import { type AccountRoot, accountReserve, type Fees, type LedgerView, type ReadView } from '../entries.ts';
import type { Amount } from '../quantities.ts';
import type { Failure } from '../results.ts';
import { accountId, type Transaction } from '../signature.ts';

export interface Payee {
  readonly account: string;
  readonly tag?: number | undefined;
}

/** The ledger that is being built, and how strict it is. */
export interface ApplyOptions {
  /** Index of the ledger that is being built. */
  readonly ledgerIndex: number;
  /** Close time of the ledger before. Expirations are compared with it. */
  readonly parentCloseTime: number;
  /** The open ledger checks the minimum fee. A closing ledger does not. */
  readonly open: boolean;
  /** A tec result is not applied yet: a later pass may succeed. */
  readonly retry: boolean;
  /** `fail_hard`: a tec result is never applied. */
  readonly failHard: boolean;
  readonly fees: Fees;
  /** Multiplies the minimum fee, as on a busy server. */
  readonly loadFactor: number;
  /** Payments of XRP to this account fail, as if its DepositAuth had been set a moment before. */
  readonly refusing?: Payee | undefined;
  /** `simulate`: signatures are not checked, so an empty SigningPubKey is allowed. */
  readonly dryRun?: boolean;
}

/** One transaction on its way into one ledger. */
export interface ApplyContext<Type = unknown> extends ApplyOptions {
  readonly tx: Transaction<Type>;
  readonly view: LedgerView;
  /** Balance of the source in drops before its fee was paid. Reserves are checked against it. */
  readonly priorBalance: bigint;
  /** Records the delivered amount for the metadata. */
  deliver(amount: Amount): void;
}

/** One transaction type: its own part of each stage (XRPL-4.1). Its fields and flags are those of the codec. */
export interface Transactor<Type = unknown> {
  /** Base fee in drops, where it is not the usual one. */
  baseFee?(tx: Transaction<Type>, view: ReadView, fees: Fees): bigint;
  /** Looks only at the transaction. */
  preflight?(tx: Transaction<Type>): Failure;
  /** Looks at the ledger. A tec result costs the fee. */
  preclaim?(context: ApplyContext<Type>): Failure;
  /** Changes `context.view`. */
  apply(context: ApplyContext<Type>): Failure;
}

/** The account that sent the transaction. It exists once preclaim has begun. */
export const sourceAccount = ({ tx, view }: ApplyContext): AccountRoot => view.requireAccount(tx.account);

/** The source had the reserve for this number of further entries. */
export const canOwn = (context: ApplyContext, more = 1): boolean =>
  context.priorBalance >= accountReserve(context.fees, sourceAccount(context).OwnerCount + more);

export const has = ({ flags }: Transaction, bit: number): boolean => (flags & bit) !== 0;

export const lacksTag = ({ json }: Transaction, { Flags }: AccountRoot): boolean =>
  (Flags & ACCOUNT_FLAGS.lsfRequireDestTag) !== 0 && json.DestinationTag === undefined;

/** XRP that arrives allows its receiver another free reset of the regular key. */
export const receiveXrp = (view: LedgerView, to: AccountRoot, drops: bigint): void =>
  view.addXrp({ ...to, Flags: (to.Flags & ~ACCOUNT_FLAGS.lsfPasswordSpent) >>> 0 }, drops);

type Fields = Readonly<Record<string, unknown>>;
interface Template {
  readonly allowed: readonly string[];
  readonly required: readonly string[];
}

/** Objects inside an array, by their name. */
const INNER: Readonly<Record<string, Template>> = {
  Signer: {
    allowed: ['Account', 'SigningPubKey', 'TxnSignature'],
    required: ['Account', 'SigningPubKey', 'TxnSignature'],
  },
  SignerEntry: { allowed: ['Account', 'SignerWeight', 'WalletLocator'], required: ['Account', 'SignerWeight'] },
};
const ARRAYS = ['Signers', 'SignerEntries'];

/** The first error in the set of fields. */
export function templateError(json: Fields): string | undefined {
  const error = fieldError(json, templateOf(String(json.TransactionType)));
  if (error) return error;
  for (const array of ARRAYS)
    for (const wrapped of (json[array] as readonly Fields[] | undefined) ?? [])
      for (const [name, inner] of Object.entries(wrapped)) {
        const template = INNER[name];
        const wrong = template && fieldError(inner as Fields, template);
        if (wrong) return wrong;
      }
  return undefined;
}

function templateOf(type: string): Template {
  const fields = [...(formatOf('common') ?? []), ...(formatOf(type) ?? [])];
  const required = fields.filter(({ optionality }) => optionality === REQUIRED);
  return { allowed: fields.map(({ name }) => name), required: required.map(({ name }) => name) };
}

function fieldError(json: Fields, { allowed, required }: Template): string | undefined {
  const missing = required.find(field => json[field] === undefined);
  if (missing) return `Field '${missing}' is required but missing.`;
  const extra = Object.keys(json).find(field => !allowed.includes(field));
  return extra && `Field '${extra}' found in disallowed location.`;
}

const MAX_MEMO_BYTES = 1024;
const MEMO_FIELDS = new Set(['MemoType', 'MemoData', 'MemoFormat']);
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const PSEUDO_TYPES = new Set(['EnableAmendment', 'SetFee', 'UNLModify']);

/** Why a server does not relay a transaction with a good signature; undefined: it does. */
export function localError(json: Readonly<Record<string, unknown>>): string | undefined {
  if (json.Memos !== undefined) {
    const error = memoError(json.Memos as readonly Record<string, unknown>[]);
    if (error) return error;
  }
  if (ACCOUNT_FIELDS.some(field => json[field] !== undefined && !accountId(json[field])))
    return 'An account field is invalid.';
  return PSEUDO_TYPES.has(String(json.TransactionType)) ? 'Cannot submit pseudo transactions.' : undefined;
}

function memoError(memos: readonly Record<string, unknown>[]): string | undefined {
  if (encode({ Memos: memos }).length / 2 > MAX_MEMO_BYTES) return 'The memo exceeds the maximum allowed size.';
  for (const wrapped of memos) {
    const memo = wrapped.Memo;
    if (Object.keys(wrapped).length !== 1 || !memo || typeof memo !== 'object')
      return 'A memo array may contain only Memo objects.';
    for (const [field, value] of Object.entries(memo)) {
      if (!MEMO_FIELDS.has(field)) return 'A memo may contain only MemoType, MemoData or MemoFormat fields.';
      if (field !== 'MemoData' && !URL_CHARACTERS.test(Buffer.from(String(value), 'hex').toString('latin1')))
        return 'The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.';
    }
  }
  return undefined;
}
