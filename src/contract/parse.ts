import * as z from 'zod';
import { isShownPath, parseJson, repeatedMember } from '../kernel/json.ts';
import { didYouMean } from '../kernel/text.ts';
import { DIALECT_NAMES, foreignNameOf } from './ivms101-check/dialects.ts';
import { type Refusal, refusals } from './refusals.ts';

/** D-05: the checks of every JSON body, before its fields are validated: of requests and of the answers of a VASP. */

export const MAX_DEPTH = 64;
/** A list of any body has at most this many elements, unless its operation takes more. */
export const MAX_ELEMENTS = 100;

export type JsonObject = { [member: string]: unknown };

/** `path`: the member that the text is. Throws `Refusal` not-json, not-object, invalid-field. */
export function parseJsonObject(text: string, maxElements = MAX_ELEMENTS, path = ''): JsonObject {
  const value = parseJson(text);
  if (value === undefined) throw refusals.notJson();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusals.notObject();
  checkMembers(value, maxElements, 0, path);
  const twice = repeatedMember(text);
  if (twice !== undefined) throw repeated([path, twice].filter(Boolean).join('.'));
  return value as JsonObject;
}

/** Readers differ in which one counts, so none does. */
const repeated = (path: string): Refusal =>
  isShownPath(path)
    ? refusals.invalidField(path, 'came twice', 'Send it once.')
    : refusals.invalidField('body', 'has a member twice', 'Send it once.');

/** Personal data may have any members. Their depth, their text and their lists are checked here: no schema does, or too late. */
function checkMembers(value: object, maxElements: number, depth = 0, path = ''): void {
  if (depth > MAX_DEPTH)
    throw refusals.invalidField(firstMember(path), `should have at most ${MAX_DEPTH} nested levels`);
  if (Array.isArray(value) && value.length > maxElements)
    throw refusals.invalidField(path.isWellFormed() ? path : 'body', `should have at most ${maxElements} elements`);
  for (const name in value) {
    const member = (value as JsonObject)[name];
    const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw refusals.invalidField(isShownPath(at) ? at : firstMember(at), 'should be well-formed Unicode text');
    if (typeof member === 'object' && member !== null) checkMembers(member, maxElements, depth + 1, at);
  }
}

const firstMember = (path: string): string => {
  const [first = ''] = path.split(/[.[]/);
  return first.isWellFormed() && first !== '' ? first : 'body';
};

type Issue = z.core.$ZodIssue;

/** A check whose `error` is one of these kinds is refused with that kind. */
const REFUSAL_OF_KIND: Record<string, () => Refusal> = {
  'invalid-key-type': refusals.invalidKeyType,
  'invalid-result': refusals.invalidResult,
  'required-info-without-account-number': refusals.requiredInfoWithoutAccountNumber,
};

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** `['originatorPersons', 0, 'name']` -> `originatorPersons[0].name` */
const dotted = (path: readonly PropertyKey[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`)).join('');

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);

const bound = (issue: { origin: string }, limit: number | bigint, side: 'least' | 'most'): string => {
  if (issue.origin === 'string' && side === 'least' && limit === 1) return 'should not be empty';
  if (issue.origin === 'array' && side === 'least' && limit === 1) return 'should have at least one element';
  if (issue.origin === 'string') return `should have at ${side} ${limit} characters`;
  if (issue.origin === 'array') return `should have at ${side} ${limit} elements`;
  return `should be at ${side} ${limit}`;
};

/** Continues the sentence "`field` …". Never repeats a value, because it may be personal data. */
function problemOf(issue: Issue): string {
  // The texts of our own checks start like this; zod's never do.
  if (/^(should|is required) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `should be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') return bound(issue, issue.minimum, 'least');
  if (issue.code === 'too_big') return bound(issue, issue.maximum, 'most');
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(value => `\`${String(value)}\``);
    return values.length === 1 ? `should be ${values[0]}` : `should be one of ${values.join(', ')}`;
  }
  if (issue.code === 'invalid_format') return `should be a well-formed ${issue.format}`;
  return 'is not valid';
}

/** D-05: null counts as missing where the field has to be there. */
function isMissing(schema: z.ZodType, value: unknown, { code, path }: Issue): boolean {
  const found = valueAt(value, path);
  if (code === 'custom' || (found ?? undefined) !== undefined) return false;
  if (found === undefined) return true;
  if (typeof path.at(-1) === 'number') return false;
  const at = dotted(path);
  const { error } = z.safeParse(schema, without(value, path));
  return error?.issues.some(issue => issue.code !== 'custom' && dotted(issue.path) === at) ?? false;
}

/** A copy without the member at `path`. */
function without(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) return value.map((each, n) => (n === step ? without(each, rest) : each));
  const { [step!]: member, ...others } = value as Record<PropertyKey, unknown>;
  return rest.length === 0 ? others : { ...others, [step!]: without(member, rest) };
}

/** What came in another dialect instead of the member, or in another shape. */
function hintAbout({ path, code, ...issue }: Issue, value: unknown): string | undefined {
  const found = valueAt(value, path);
  if ((found ?? undefined) === undefined) {
    const holder = path.slice(0, -1);
    return foreignNameHint([String(path.at(-1))], valueAt(value, holder), dotted(holder));
  }
  if ('values' in issue && typeof found === 'string') return didYouMean(found, issue.values.map(String)).trim();
  if (code === 'custom') return foreignNameHint(PERSON_KINDS, found, dotted(path));
  if (code !== 'invalid_type' || !('expected' in issue) || !path.includes('ivms101')) return undefined;
  return shapeHint(String(issue.expected), found, String(path.at(-1)));
}

/** A person without either has an issue of its own. */
const PERSON_KINDS = ['naturalPerson', 'legalPerson'];

function unknownMembers({ path, keys }: { path: PropertyKey[]; keys: string[] }): Refusal[] {
  return keys.map(name =>
    /^[\w.-]{1,64}$/.test(name)
      ? refusals.invalidField(dotted([...path, name]), 'is not known')
      : refusals.invalidField(path.length > 0 ? dotted(path) : 'body', 'has a member that is not known'),
  );
}

/** An issue may name several members. */
const refusalsOf = (schema: z.ZodType, issue: Issue, value: unknown): Refusal[] =>
  issue.code === 'unrecognized_keys' ? unknownMembers(issue) : [refusalOf(schema, issue, value)];

function refusalOf(schema: z.ZodType, issue: Issue, value: unknown): Refusal {
  if (issue.path.length === 0) return refusals.notObject();
  const field = dotted(issue.path);
  const hint = hintAbout(issue, value);
  if (isMissing(schema, value, issue)) return refusals.missingField(field, hint);
  return REFUSAL_OF_KIND[issue.message]?.() ?? refusals.invalidField(field, problemOf(issue), hint);
}

/** The parsed value. Throws the `Refusal` of the first problem, in the order of the schema (D-05). */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw refusalsOf(schema, parsed.error.issues[0]!, value)[0]!;
}

/** What `parse` would throw for each problem. */
export const problemsIn = (schema: z.ZodType, value: unknown): string[] =>
  (z.safeParse(schema, value).error?.issues ?? [])
    .flatMap(issue => refusalsOf(schema, issue, value))
    .map(({ message }) => message);

/** Sentences for a refusal: what came in another dialect. The network keeps the names of IVMS101 (2020). */

/** `path` of `holder`, whose member should have one of the `wanted` names. */
function foreignNameHint(wanted: readonly string[], holder: unknown, path: string): string | undefined {
  for (const name of wanted) {
    const foreign = foreignNameOf(name, holder);
    if (!foreign) continue;
    const at = path === '' ? foreign.name : `${path}.${foreign.name}`;
    return `\`${at}\` is written ${DIALECT_NAMES[foreign.dialect]}: name it \`${name}\`.`;
  }
  return undefined;
}

/** `expected`: a type of JSON. `member`: its name. */
function shapeHint(expected: string, found: unknown, member: string): string | undefined {
  if (expected === 'array' && typeof found === 'object')
    return 'One object came, as some libraries write a list of one: put it into a list.';
  if (expected === 'array') return 'One value came: put it into a list.';
  if (expected !== 'object' || !Array.isArray(found)) return undefined;
  const as = member === 'name' ? ', as TAP writes it' : '';
  return `A list came${as}: send its element as one object.`;
}
