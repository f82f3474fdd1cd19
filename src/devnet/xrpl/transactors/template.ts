import { formatOf, REQUIRED } from '../definitions.ts';

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
