import { parseJsonObject } from '../parse.ts';
import { type Checked, checkComponent, checkPersons, MAX_PROBLEMS } from './check.ts';
import type { Context } from './constraints.ts';
import { DIALECTS, type Dialect, foreignMember } from './dialects.ts';
import { COMPONENTS, type Component } from './model.ts';
import { failure, type Ivms101Problem } from './problem.ts';

export interface PayloadCheck {
  readonly dialect: Dialect;
  readonly problems: readonly Ivms101Problem[];
}

const DAY_MS = 86_400_000;
const startOfDay = (now: number): number => now - (now % DAY_MS);

/** Checks the beneficiary of an answer. `now`: epoch milliseconds. */
export const checkAnswer = (beneficiary: unknown, path: string, now: number): Checked =>
  checkComponent('Beneficiary', beneficiary, path, { isOriginator: false, isAnswer: true, today: startOfDay(now) });

/**
 * Checks any body that holds IVMS101: a request, its `payload`, `ivms101`, an originator, a beneficiary, persons, or
 * the text of one of them. `now`: epoch milliseconds.
 */
export function checkPayload(payload: unknown, now: number): PayloadCheck {
  const { value, path } = unwrap(payload, '');
  const checked = checkRoot(value, path, startOfDay(now));
  const dialect =
    DIALECTS.find(each => each !== '2020' && checked.foreign.some(({ dialect }) => dialect === each)) ?? '2020';
  return { dialect, problems: checked.problems.slice(0, MAX_PROBLEMS) };
}

/** Other text is left as it is. Throws the `Refusal` of `parseJsonObject`. */
export function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return value;
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? parseJsonObject(value) : parsed;
}

/** Text that `fromJsonText` refuses is no IVMS101. */
function readText(value: unknown): unknown {
  try {
    return fromJsonText(value);
  } catch {
    return value;
  }
}

/** Into `payload`, `ivms101`, or `identity` as TRISA names it, in any spelling. The version of the payload is not the version of the standard. */
function unwrap(holder: unknown, path: string): { value: unknown; path: string } {
  const value = readText(holder);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, path };
  for (const [name, inner] of Object.entries(value))
    if (['payload', 'ivms101', 'identity'].includes(name.toLowerCase()))
      return unwrap(inner, path === '' ? name : `${path}.${name}`);
  return { value, path };
}

const PERSON_KEYS = ['originatorPersons', 'beneficiaryPersons'] as const;

function checkRoot(value: unknown, path: string, today: number): Checked {
  const context = (isOriginator: boolean): Context => ({ isOriginator, today });
  if (Array.isArray(value)) return checkPersons(value, path, context(false));
  const root = rootOf(value);
  if (root === 'Payload') return checkEntities(value as object, path, today);
  if (root) return checkComponent(root, value, path, context(root === 'Originator'));
  const problem = { path, ...failure('Payload', 'The body holds no IVMS101.', 'originator and beneficiary') };
  return { problems: [problem], foreign: [] };
}

/** The component with a member that the value has, in any dialect. A person's kind is told by members that only it has. */
function rootOf(value: unknown): Component | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // A text of this name is no sign of a person: many bodies have one.
  const names = Object.entries(value).flatMap(([name, inner]) =>
    name === 'name' && typeof inner !== 'object' ? [] : name,
  );
  const roots = ['Payload', 'Originator', 'Beneficiary', 'Person', 'NaturalPerson', 'LegalPerson'] as const;
  const hasOf = (known: readonly string[]) => names.some(name => known.includes(name) || foreignMember(name, known));
  const root = roots.find(each => {
    const all = Object.keys(COMPONENTS[each]);
    return hasOf(PERSON_KEYS.some(key => all.includes(key)) ? all.filter(key => key !== 'accountNumber') : all);
  });
  const isLegal = root === 'NaturalPerson' && !hasOf(ONLY_NATURAL) && (hasOf(ONLY_LEGAL) || hasLegalName(value));
  return isLegal ? 'LegalPerson' : root;
}

const [NATURAL, LEGAL] = [Object.keys(COMPONENTS.NaturalPerson), Object.keys(COMPONENTS.LegalPerson)];
const ONLY_NATURAL = NATURAL.filter(name => !LEGAL.includes(name));
const ONLY_LEGAL = LEGAL.filter(name => !NATURAL.includes(name));
const hasLegalName = (value: object): boolean => /"legal_?person_?name"/i.test(JSON.stringify(value));

/** Only the originator needs more than a name, so the entities are checked one by one. */
function checkEntities(value: object, path: string, today: number): Checked {
  const isOriginator = (name: string) => name.toLowerCase() === 'originator';
  const parts = Object.entries(value).map(([name, inner]) =>
    checkComponent('Payload', { [name]: inner }, path, { isOriginator: isOriginator(name), today }),
  );
  return { problems: parts.flatMap(({ problems }) => problems), foreign: parts.flatMap(({ foreign }) => foreign) };
}
