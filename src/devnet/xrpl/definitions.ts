import definitions from 'ripple-binary-codec/dist/enums/definitions.json' with { type: 'json' };

/** The tables of the protocol, as the codec has them. */
export { definitions };
export const ACCOUNT_FLAGS = definitions.LEDGER_ENTRY_FLAGS.AccountRoot;

type Format = readonly { readonly name: string; readonly optionality: number }[];

/** The fields of a transaction type, and with `common` those of all types. Undefined: there is no such type. */
export const formatOf = (type: string): Format | undefined =>
  (definitions.TRANSACTION_FORMATS as Record<string, Format>)[type];
/** The `optionality` of a field that has to be there. */
export const REQUIRED = 0;

/** The transaction flags that this ledger does not offer. */
const UNOFFERED_FLAGS = [
  'tfClearDeepFreeze',
  'tfHybrid',
  'tfInnerBatchTxn',
  'tfSetDeepFreeze',
  'tfSponsorCreatedAccount',
];

/** The bits that may be set in a transaction of a type. */
export function flagBitsOf(type: string): number {
  const { universal, ...byType }: Record<string, Record<string, number>> = definitions.TRANSACTION_FLAGS;
  return Object.entries({ ...universal, ...byType[type] })
    .filter(([name]) => !UNOFFERED_FLAGS.includes(name))
    .reduce((bits, [, bit]) => bits | bit, 0);
}

const { common: _, ...entryFormats } = definitions.LEDGER_ENTRY_FORMATS;
export const ENTRY_TYPES = Object.keys(entryFormats);

/** True: entries of this type name the last transaction that has changed them. */
export const isThreaded = (entryType: string): boolean =>
  (definitions.LEDGER_ENTRY_FORMATS as Record<string, Format>)[entryType]?.some(
    ({ name }) => name === 'PreviousTxnID',
  ) ?? false;

/** The fields that hold an address. */
export const ACCOUNT_FIELDS = (definitions.FIELDS as [string, { type: string }][])
  .filter(([, { type }]) => type === 'AccountID')
  .map(([name]) => name);
