import { encode } from 'ripple-binary-codec';
import { accountId } from '../addresses.ts';
import { ACCOUNT_FIELDS } from '../definitions.ts';

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
