import { jsonOrText } from '../../kernel/json.ts';
import { nearestName } from '../../kernel/text.ts';
import { MAX_ELEMENTS, parseJsonObject } from '../parse.ts';
import { isFilled } from '../text.ts';
import { COMPONENTS, CONSTRAINTS, type Component, type Context, type Loose, type Member } from './constraints.ts';
import { DATATYPES, isDatatype, isProtojsonCode } from './datatypes.ts';
import { DIALECT_NAMES, DIALECTS, type Dialect, type ForeignMember, foreignMember } from './dialects.ts';
import { type Finding, failure, type Ivms101Problem, warning } from './problem.ts';

/** A message may be wrong everywhere. */
export const MAX_PROBLEMS = 100;
/** Unknown members that are compared with the names of the network. */
const MAX_UNKNOWN = 50;

interface Checked {
  readonly problems: readonly Ivms101Problem[];
  /** In the order in which they were met. */
  readonly foreign: readonly ForeignFound[];
}

interface ForeignFound extends ForeignMember {
  readonly path: string;
}

interface Walk extends Context {
  readonly problems: Ivms101Problem[];
  readonly foreign: ForeignFound[];
  readonly room: { unknown: number };
}
const walkIn = (context: Context): Walk => ({ problems: [], foreign: [], room: { unknown: MAX_UNKNOWN }, ...context });

/** The problems of a component, from the outside to the inside. `value` has any shape. */
function checkComponent(component: Component, value: unknown, path: string, context: Context): Checked {
  const walk = walkIn(context);
  visit(walk, component, value, path);
  return walk;
}

export function checkPersons(persons: unknown, path: string, context: Context): Checked {
  const walk = walkIn(context);
  if (!isFilled(persons)) add(walk, path, failure('Person', 'There is no person.', 'a list with a person'));
  else visitList(walk, { type: 'Person', isList: true }, persons, path);
  return walk;
}

function add(walk: Walk, path: string, finding: Finding): void {
  const { clause, severity, text, wanted } = finding;
  if (walk.problems.length < MAX_PROBLEMS) walk.problems.push({ path, clause, severity, text, wanted });
}

/** Of each component, in their order. */
const MEMBERS = Object.fromEntries(
  Object.entries(COMPONENTS).map(([component, members]) => [component, Object.entries(members)]),
) as Record<Component, [name: string, member: Member][]>;

function visit(walk: Walk, component: Component, value: unknown, path: string): void {
  const clause = component === 'LegalIdentification' ? 'NationalIdentification' : component;
  if (Array.isArray(value)) {
    if (component.endsWith('Name')) walk.foreign.push({ dialect: 'TAP', wanted: 'name', path });
    const text = component.endsWith('Name')
      ? `The member is written ${DIALECT_NAMES.TAP}.`
      : 'A list came instead of one object.';
    add(walk, path, failure(clause, text, 'one object'));
    return visit(walk, component, value[0], `${path}[0]`);
  }
  if (typeof value !== 'object' || value === null)
    return add(walk, path, failure(clause, 'The value is no object.', 'an object'));
  const { members, paths } = namedMembers(walk, component, clause, value as Loose, path);
  const pathOf = (name: string): string => paths[name] ?? join(path, name);
  for (const [name, member] of MEMBERS[component]) {
    if (walk.problems.length >= MAX_PROBLEMS) return;
    if (members[name] === undefined && member.ifMissing === undefined) continue;
    const nested = member.type === 'Person' && !member.isList ? nestedIn(members[name], name) : undefined;
    if (nested !== undefined) add(walk, pathOf(name), warning(clause, NESTED, `${name} without ${nested} inside`));
    const inner = nested === undefined ? members[name] : (members[name] as Loose)[nested];
    visitMember(walk, clause, member, inner, nested === undefined ? pathOf(name) : join(pathOf(name), nested));
  }
  for (const finding of CONSTRAINTS[component]?.(members, walk) ?? [])
    if (finding) add(walk, finding.member === undefined ? path : pathOf(finding.member), finding);
}

const NESTED = 'The person stands one level deeper, as IVMS101 itself writes it. The network writes it flat.';

/** `originatingVASP: { originatingVASP: … }`: the name of the inner member, in any dialect. */
function nestedIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const plain = (text: string) => text.replaceAll('_', '').toLowerCase();
  return Object.keys(value).find(each => plain(each) === plain(name));
}

interface NamedMembers {
  /** By the names of the network. */
  readonly members: Loose;
  /** Of those that came with another name. */
  readonly paths: Readonly<Record<string, string>>;
}

/** Names that are foreign or misspelt are problems. Foreign ones are read all the same. Other members are extensions. */
function namedMembers(walk: Walk, component: Component, clause: string, value: Loose, path: string): NamedMembers {
  const known = MEMBERS[component].map(([name]) => name);
  const members: Record<string, unknown> = {};
  const paths: Record<string, string> = {};
  for (const name of Object.keys(value)) {
    if (known.includes(name)) {
      members[name] = value[name];
      delete paths[name];
      continue;
    }
    const at = join(path, name);
    const foreign = foreignMember(name, known) ?? versionMember(component, name);
    if (foreign) {
      walk.foreign.push({ ...foreign, path: at });
      add(walk, at, failure(clause, `The member is written ${DIALECT_NAMES[foreign.dialect]}.`, foreign.wanted));
      if (!isFilled(members[foreign.wanted])) {
        members[foreign.wanted] = value[name];
        paths[foreign.wanted] = at;
      }
      continue;
    }
    if (walk.room.unknown-- <= 0) continue;
    const nearest = nearestName(name, known);
    if (nearest !== undefined && !Object.hasOwn(value, nearest))
      add(walk, at, warning(clause, 'No member has this name.', nearest));
  }
  return { members, paths };
}

/** IVMS101.2023 has its version inside of the data. The network has none there. */
const versionMember = (component: Component, name: string): ForeignMember | undefined =>
  component === 'PayloadMetadata' && foreignMember(name, ['version'])
    ? { dialect: '101.2023', wanted: 'payload.version' }
    : undefined;

/** An empty member counts as absent. An originator without persons does not. */
function isAbsent(type: Member['type'], value: unknown): boolean {
  if (type === 'Originator' || type === 'Beneficiary') return value === undefined || value === null;
  // A person without a name is a person.
  return type === 'Person' && Array.isArray(value) ? value.length === 0 : !isFilled(value);
}

const MAY_BE_UNREQUESTED: readonly string[] = ['Person', 'NaturalPersonName', 'LegalPersonName'];

function visitMember(walk: Walk, clause: string, member: Member, value: unknown, path: string): void {
  const { type, isList, ifMissing } = member;
  if (isAbsent(type, value)) {
    if (ifMissing === undefined || (walk.isAnswer && MAY_BE_UNREQUESTED.includes(type))) return;
    const finding = { FAILURE: failure, WARNING: warning }[ifMissing];
    return add(walk, path, finding(clause, 'The member is missing.', isList ? `a list with a ${type}` : type));
  }
  if (isList) visitList(walk, member, value, path);
  else visitOne(walk, type, value, path);
}

function visitList(
  walk: Walk,
  { type, maxElements = MAX_ELEMENTS, ifMissing }: Member,
  value: unknown,
  path: string,
): void {
  if (!Array.isArray(value)) {
    const came = typeof value === 'object' ? 'One object' : 'One value';
    add(walk, path, failure(type, `${came} came instead of a list.`, 'a list'));
    return visitOne(walk, type, value, path);
  }
  if (value.length > maxElements)
    add(
      walk,
      path,
      failure(type, `The list has more than ${maxElements} elements.`, `at most ${maxElements} elements`),
    );
  for (const [index, each] of value.slice(0, maxElements).entries()) {
    // An empty element of an optional list counts as absent.
    if (!isFilled(each) && ifMissing === undefined && type !== 'Person') continue;
    // The representatives after a legal person are no originators by themselves (C1).
    const inside = index > 0 && type === 'Person' ? { ...walk, isOriginator: false } : walk;
    visitOne(inside, type, each, `${path}[${index}]`);
  }
}

function visitOne(walk: Walk, type: Member['type'], value: unknown, path: string): void {
  if (!isDatatype(type)) return visit(walk, type, value, path);
  if (type.endsWith('Code') && type !== 'CountryCode' && isProtojsonCode(value))
    walk.foreign.push({ dialect: 'protojson', wanted: type, path });
  const finding = DATATYPES[type](value);
  if (finding) add(walk, path, finding);
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const DAY_MS = 86_400_000;
const startOfDay = (now: number): number => now - (now % DAY_MS);

/** Checks the beneficiary of an answer. `now`: epoch milliseconds. */
export const checkAnswer = (beneficiary: unknown, path: string, now: number): Checked =>
  checkComponent('Beneficiary', beneficiary, path, { isOriginator: false, isAnswer: true, today: startOfDay(now) });

/**
 * Checks any body that holds IVMS101: a request, its `payload`, `ivms101`, an originator, a beneficiary, persons, or
 * the text of one of them. `now`: epoch milliseconds.
 */
export function checkPayload(payload: unknown, now: number) {
  const { value, path } = unwrap(payload, '');
  const checked = checkRoot(value, path, startOfDay(now));
  const dialect: Dialect = DIALECTS.find(each => checked.foreign.some(({ dialect }) => dialect === each)) ?? '2020';
  return { dialect, problems: checked.problems.slice(0, MAX_PROBLEMS) };
}

/** Other text is left as it is. Throws the `Refusal` of `parseJsonObject`. */
export function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = jsonOrText(value);
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

interface Held {
  value: unknown;
  path: string;
}

/** Into `payload`, `ivms101`, or `identity` as TRISA names it, in any spelling. The version of the payload is not the version of the standard. */
function unwrap(holder: unknown, path: string): Held {
  const value = readText(holder);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, path };
  for (const [name, inner] of Object.entries(value))
    if (['payload', 'ivms101', 'identity'].includes(name.toLowerCase())) return unwrap(inner, join(path, name));
  return { value, path };
}

/** Values of a body that are searched for a payload. */
const MAX_SEARCHED = 500;

/** The outermost payload inside of envelopes that nobody has listed. */
function enveloped(value: unknown, path: string): Held | undefined {
  let left = MAX_SEARCHED;
  const holders: Held[] = [{ value, path }];
  for (const { value: holder, path: at } of holders) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [name, held] of Object.entries(holder)) {
      if (left-- === 0) return undefined;
      const inner = unwrap(held, Array.isArray(holder) ? `${at}[${name}]` : join(at, name));
      const root = Array.isArray(inner.value) ? undefined : rootOf(inner.value);
      if (root === 'Payload') return inner;
      if (root === undefined) holders.push(inner);
    }
  }
  return undefined;
}

const PERSON_KEYS = ['originatorPersons', 'beneficiaryPersons'] as const;

function checkRoot(value: unknown, path: string, today: number): Checked {
  const context = (isOriginator: boolean): Context => ({ isOriginator, today });
  const root = Array.isArray(value) ? undefined : rootOf(value);
  if (root === 'Payload') return checkEntities(value as object, path, today);
  const inner = root === undefined ? enveloped(value, path) : undefined;
  if (inner) return checkEntities(inner.value as object, inner.path, today);
  if (Array.isArray(value)) return checkPersons(value, path, context(false));
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
  const known = MEMBERS.Payload.map(([name]) => name);
  const walk = walkIn({ isOriginator: false, today });
  for (const [name, inner] of Object.entries(value))
    if (walk.room.unknown > 0 || known.includes(name) || foreignMember(name, known))
      visit({ ...walk, isOriginator: isOriginator(name) }, 'Payload', { [name]: inner }, path);
  return walk;
}
