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

/** Objects inside an array, by their name. */
const INNER: Readonly<Record<string, Readonly<Record<string, Presence>>>> = {
  Signer: { Account: 'required', SigningPubKey: 'required', TxnSignature: 'required' },
  SignerEntry: { Account: 'required', SignerWeight: 'required', WalletLocator: 'optional' },
};
const ARRAYS = ['Signers', 'SignerEntries'];

const TEMPLATES = new Map(
  Object.entries(TRANSACTORS).map(([type, { fields }]) => [type, { ...COMMON, ...fields }]),
);

/** The first error in the set of fields. Only the common fields are checked for a type that is not offered. */
export function templateError(json: Readonly<Record<string, unknown>>): string | undefined {
  const template = TEMPLATES.get(String(json.TransactionType));
  const error = template ? fieldError(json, template) : missingFieldError(json, COMMON);
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

type Fields = Readonly<Record<string, unknown>>;

function fieldError(json: Fields, template: Readonly<Record<string, Presence>>): string | undefined {
  const missing = missingFieldError(json, template);
  if (missing) return missing;
  const extra = Object.keys(json).find(field => !template[field]);
  return extra && `Field '${extra}' found in disallowed location.`;
}

function missingFieldError(json: Fields, template: Readonly<Record<string, Presence>>): string | undefined {
  const missing = Object.keys(template).find(
    field => template[field] === 'required' && json[field] === undefined,
  );
  return missing && `Field '${missing}' is required but missing.`;
}
