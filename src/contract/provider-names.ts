import { CALLBACK_TYPES } from './callbacks.ts';

/**
 * The reference writes `providerA` and `providerB` in place of brand names. The configuration may set other names for
 * paths, members and callbackType values. The program itself uses the names of the reference only.
 */
export interface ProviderNames {
  a: string;
  b: string;
}

export const REFERENCE_NAMES: ProviderNames = { a: 'providerA', b: 'providerB' };

/** camelCase, like a member: `providerA`. Its other forms are `PROVIDER_A` and `ProviderA`. */
export const PROVIDER_NAME = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$/;

export interface Renaming {
  /** Renames inside a path or another text. */
  text(text: string): string;
  /** A body: renames members, callbackType values and our own texts, at any depth. Other values stay unchanged. */
  body<T>(body: T): T;
  /** The callbackType of a request -> its name in the reference. Both names are accepted. */
  callbackType(type: string): string;
}

const TEXT_MEMBERS = new Set(['callbackType', 'cause', 'why', 'error', 'target']);
const MEMBERS = ['providerASanction', 'providerAKYT', 'providerAKYTAlerts', 'providerBWCO'];

export function renaming(names: ProviderNames): Renaming {
  const words = new Map<string, string>([...formsOf('A', names.a), ...formsOf('B', names.b)]);
  if ([...words].every(([word, name]) => word === name))
    return { text: text => text, body: body => body, callbackType: type => type };
  const text = (original: string) =>
    original.replace(/providerA|providerB|ProviderA|ProviderB|PROVIDER_A|PROVIDER_B/g, word => words.get(word)!);
  const members = new Map(MEMBERS.map(member => [member, text(member)]));
  const types = new Map<string, string>(CALLBACK_TYPES.map(type => [text(type), type]));

  const body = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(body);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        members.get(member) ?? member,
        TEXT_MEMBERS.has(member) && typeof inner === 'string' ? text(inner) : body(inner),
      ]),
    );
  };
  return { text, body: value => body(value) as typeof value, callbackType: type => types.get(type) ?? type };
}

const formsOf = (letter: 'A' | 'B', name: string): [string, string][] => [
  [`provider${letter}`, name],
  [`Provider${letter}`, name[0]!.toUpperCase() + name.slice(1)],
  [`PROVIDER_${letter}`, name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()],
];
