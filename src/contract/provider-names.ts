import { CALLBACK_TYPES } from './callbacks.ts';

/**
 * The reference writes `providerA` and `providerB` for brand names. A VASP that was built for the brands finds them in
 * paths, members and callbackType values alike; inside, only the words of the reference are spoken.
 */
export interface ProviderNames {
  a: string;
  b: string;
}

export const REFERENCE_NAMES: ProviderNames = { a: 'providerA', b: 'providerB' };

/** camelCase, as members begin: `providerA` -> `PROVIDER_A`, `ProviderA`. */
export const PROVIDER_NAME = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$/;

export interface Renaming {
  /** A path, or any other text in which the words stand. */
  text(text: string): string;
  /** A body: members, callbackType values, and texts of ours that may name one, at any depth. Every other value stays. */
  body<T>(body: T): T;
  /** A callbackType as somebody else writes it. The words of the reference are understood too. */
  callbackType(type: string): string;
}

const WORDED = new Set(['callbackType', 'cause', 'why', 'error', 'target']);
const MEMBERS = ['providerASanction', 'providerAKYT', 'providerAKYTAlerts', 'providerBWCO'];

export function renaming(names: ProviderNames): Renaming {
  const words = new Map<string, string>([...formsOf('A', names.a), ...formsOf('B', names.b)]);
  if ([...words].every(([word, name]) => word === name))
    return { text: text => text, body: body => body, callbackType: type => type };
  const text = (given: string) =>
    given.replace(/providerA|providerB|ProviderA|ProviderB|PROVIDER_A|PROVIDER_B/g, word => words.get(word)!);
  const members = new Map(MEMBERS.map(member => [member, text(member)]));
  const types = new Map<string, string>(CALLBACK_TYPES.map(type => [text(type), type]));

  const body = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(body);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(
      Object.entries(given).map(([member, value]) => [
        members.get(member) ?? member,
        WORDED.has(member) && typeof value === 'string' ? text(value) : body(value),
      ]),
    );
  };
  return {
    text,
    body: given => body(given) as typeof given,
    callbackType: type => types.get(type) ?? type,
  };
}

const formsOf = (letter: 'A' | 'B', name: string): [string, string][] => [
  [`provider${letter}`, name],
  [`Provider${letter}`, name[0]!.toUpperCase() + name.slice(1)],
  [`PROVIDER_${letter}`, name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()],
];
