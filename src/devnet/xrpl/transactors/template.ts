import { TRANSACTORS } from './registry.ts';
import type { Presence } from './transactor.ts';

const COMMON: Readonly<Record<string, Presence>> = {
  TransactionType: 'required',
  Account: 'required',
  Fee: 'required',
  Sequence: 'required',
  SigningPubKey: 'required',
  Flags: 'optional',
  SourceTag: 'optional',
  PreviousTxnID: 'optional',
  LastLedgerSequence: 'optional',
  AccountTxnID: 'optional',
  OperationLimit: 'optional',
  Memos: 'optional',
  TicketSequence: 'optional',
  TxnSignature: 'optional',
  Signers: 'optional',
  NetworkID: 'optional',
  Delegate: 'optional',
};

/** The first error in the set of fields. Only the common fields are checked for a type that is not offered. */
export function templateError(json: Readonly<Record<string, unknown>>): string | undefined {
  const own = TRANSACTORS[String(json.TransactionType)]?.fields;
  for (const [field, presence] of Object.entries({ ...COMMON, ...own }))
    if (presence === 'required' && json[field] === undefined)
      return `Field '${field}' is required but missing.`;
  if (own)
    for (const field of Object.keys(json))
      if (!COMMON[field] && !own[field]) return `Field '${field}' found in disallowed location.`;
  return undefined;
}
