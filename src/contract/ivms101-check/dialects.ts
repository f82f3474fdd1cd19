/** Other ways to write IVMS101 as JSON. The network keeps the names of 2020 (WIRE-4). */

export const DIALECTS = ['2020', '101.2023', 'snake_case', 'protojson', 'TAP', 'PascalCase'] as const;
export type Dialect = (typeof DIALECTS)[number];
type ForeignDialect = Exclude<Dialect, '2020'>;

/** Continues "… is written ". */
export const DIALECT_NAMES: Readonly<Record<ForeignDialect, string>> = {
  '101.2023': 'in the names of IVMS101.2023',
  snake_case: 'in snake_case',
  protojson: 'as protojson writes it',
  TAP: 'as a list, as TAP writes it',
  PascalCase: 'in other upper and lower case',
};

type Names = Readonly<Record<string, string>>;

/** The foreign name of a member, and the name that is wanted. */
const NAMES: Readonly<Record<'101.2023' | 'protojson', Names>> = {
  '101.2023': {
    originatorPerson: 'originatorPersons',
    beneficiaryPerson: 'beneficiaryPersons',
    naturalPersonNameIdentifierType: 'nameIdentifierType',
    // `payload.version` is the version of the message, and not that of the standard.
    payloadVersion: 'version',
  },
  protojson: {
    nameIdentifiers: 'nameIdentifier',
    localNameIdentifiers: 'localNameIdentifier',
    phoneticNameIdentifiers: 'phoneticNameIdentifier',
    geographicAddresses: 'geographicAddress',
    addressLines: 'addressLine',
    accountNumbers: 'accountNumber',
    originatingVasp: 'originatingVASP',
    beneficiaryVasp: 'beneficiaryVASP',
    intermediaryVasp: 'intermediaryVASP',
    transliterationMethods: 'transliterationMethod',
  },
};

export interface ForeignMember {
  readonly dialect: ForeignDialect;
  /** The name of the network. */
  readonly wanted: string;
}

/** Is `name` another dialect's name of one of the `known` members? */
export function foreignMember(name: string, known: readonly string[]): ForeignMember | undefined {
  if (known.includes(name)) return undefined;
  if (name.includes('_')) {
    const wanted = knownName(camelCase(name), known);
    return wanted === undefined ? undefined : { dialect: 'snake_case', wanted };
  }
  for (const dialect of ['101.2023', 'protojson'] as const) {
    const wanted = wantedIn(NAMES[dialect], name, known);
    if (wanted !== undefined) return { dialect, wanted };
  }
  const wanted = known.find(each => each.toLowerCase() === name.toLowerCase());
  return wanted === undefined ? undefined : { dialect: 'PascalCase', wanted };
}

function knownName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  return wantedIn(NAMES.protojson, name, known) ?? wantedIn(NAMES['101.2023'], name, known);
}

function wantedIn(names: Names, name: string, known: readonly string[]): string | undefined {
  const wanted = Object.hasOwn(names, name) ? names[name] : undefined;
  return wanted !== undefined && known.includes(wanted) ? wanted : undefined;
}

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The member of `holder` that another dialect writes for `wanted`. */
export function foreignNameOf(wanted: string, holder: unknown): { name: string; dialect: ForeignDialect } | undefined {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined;
  for (const name of Object.keys(holder)) {
    const found = foreignMember(name, [wanted]);
    if (found) return { name, dialect: found.dialect };
  }
  return undefined;
}
