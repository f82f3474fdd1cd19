import { TRANSACTORS } from './registry.ts';
import type { Presence } from './transactor.ts';

const COMMON: Template = {
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
const INNER: Readonly<Record<string, Template>> = {
  Signer: { Account: 'required', SigningPubKey: 'required', TxnSignature: 'required' },
  SignerEntry: { Account: 'required', SignerWeight: 'required', WalletLocator: 'optional' },
};
const ARRAYS = ['Signers', 'SignerEntries'];

const templates = new Map<string, Template>();

/** All fields of an offered type; undefined: the type is not offered. */
function templateOf(type: string): Template | undefined {
  const own = TRANSACTORS[type]?.fields;
  if (!own) return undefined;
  const template = templates.get(type) ?? { ...COMMON, ...own };
  templates.set(type, template);
  return template;
}

/** The first error in the set of fields. Only the common fields are checked for a type that is not offered. */
export function templateError(json: Readonly<Record<string, unknown>>): string | undefined {
  const template = templateOf(String(json.TransactionType));
  const error = template ? fieldError(json, template) : missingFieldError(json, COMMON);
  if (error) return error;
  for (const array of ARRAYS)
    for (const wrapped of (json[array] as readonly Fields[] | undefined) ?? [])
      for (const [name, inner] of Object.entries(wrapped)) {
        const ofInner = INNER[name];
        const wrong = ofInner && fieldError(inner as Fields, ofInner);
        if (wrong) return wrong;
      }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Template = Readonly<Record<string, Presence>>;

function fieldError(json: Fields, template: Template): string | undefined {
  const missing = missingFieldError(json, template);
  if (missing) return missing;
  const extra = Object.keys(json).find(field => !template[field]);
  return extra && `Field '${extra}' found in disallowed location.`;
}

function missingFieldError(json: Fields, template: Template): string | undefined {
  for (const field in template)
    if (template[field] === 'required' && json[field] === undefined)
      return `Field '${field}' is required but missing.`;
  return undefined;
}
