/** The columns that a search looks into. The persons are JSON. */
export interface Searched {
  originatorAccountKey: string;
  beneficiaryAccountKey: string;
  amount: string;
  txHash: string | null;
  ivms101Originator: string;
  ivms101Beneficiary: string;
}

export const NAME_MEMBERS: readonly string[] = [
  'primaryIdentifier',
  'secondaryIdentifier',
  'legalPersonName',
];

/** As SQLite's `lower`. */
export const folded = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase());

/** The texts of a verification. A word that matches none of them matches no account, amount, hash and name. */
export function textsOf(row: Searched, namesOf: (json: string) => string): string[] {
  const names = [row.ivms101Originator, row.ivms101Beneficiary].map(namesOf);
  const others = [row.originatorAccountKey, row.beneficiaryAccountKey, row.amount, row.txHash ?? ''];
  return [...new Set([...names, ...others.map(folded)])].filter(text => text !== '');
}

/** The names of the persons, one in each line. */
export const namesIn = (json: string): string => folded(namesBelow(JSON.parse(json)).join('\n'));

function namesBelow(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    NAME_MEMBERS.includes(key) && typeof member === 'string' ? [member] : namesBelow(member),
  );
}

/** One or two letters that the index holds as they are: FTS5 has its own lower case of other letters than A to Z. */
export const isShort = (word: string): boolean => /^[\0-\x7f\p{Lo}]{1,2}$/u.test(word);

/** A query of FTS5 for the texts that hold all trigrams of a word. Undefined: it is shorter than one. */
export function trigramsOf(word: string): string | undefined {
  const letters = [...word];
  if (letters.length < 3) return undefined;
  const trigrams = letters.slice(2).map((last, i) => `${letters[i]}${letters[i + 1]}${last}`);
  return [...new Set(trigrams)].map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}
