import type * as z from 'zod';
import { type Refusal, refusals } from '../contract/refusals.ts';
import { nearestName } from '../kernel/misspelling.ts';

/** A member of a control call that no schema knows, and the known one that it is near to. */
export interface Misspelled {
  readonly path: string;
  readonly nearest: string;
}

interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: unknown;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}
const partsOf = (schema: z.ZodType): Parts => schema.def as unknown as Parts;

/** The objects that a value may be. Those that take any member are left out. */
function objectsIn(schema: z.ZodType): Parts[] {
  const parts = partsOf(schema);
  if (parts.shape) return parts.catchall && !isStrict(parts.catchall) ? [] : [parts];
  const inside = [parts.innerType, parts.in, parts.out, ...(parts.options ?? [])];
  return inside.flatMap(each => (each ? objectsIn(each) : []));
}
const isStrict = (catchall: unknown): boolean => (catchall as { def: { type: string } }).def.type === 'never';

/** The names of the members that an object of the schema may have. */
export const membersOf = (schema: z.ZodType): string[] => [
  ...new Set(objectsIn(schema).flatMap(({ shape }) => Object.keys(shape!))),
];

/** A mistyped filter would list everything. Throws `Refusal` invalid-field. */
export function requireKnown(known: readonly string[], query: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(query).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const taken = known.map(name => `\`${name}\``).join(', ') || 'no parameters';
  throw refusals.invalidField(unknown.slice(0, LONGEST_NAME), 'is not known', `This call takes ${taken}.`);
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const { element, innerType, in: input, out } = partsOf(schema);
  if (element) return element;
  return [innerType, input, out].flatMap(each => (each && elementOf(each)) ?? [])[0];
}

/** Unknown members of one body that are compared with the known ones. */
const MAX_UNKNOWN = 50;
const LONGEST_NAME = 64;

/** The first misspelt member, also inside of members. A member far from every name is an extension (D-05). */
export function misspelledMember(
  schema: z.ZodType,
  value: unknown,
  path = '',
  room = { unknown: MAX_UNKNOWN },
): Misspelled | undefined {
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element && firstOf(value, (each, i) => misspelledMember(element, each, `${path}[${i}]`, room));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const objects = objectsIn(schema);
  const known = membersOf(schema);
  return firstOf(Object.entries(value), ([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (known.includes(name))
      return firstOf(objects, ({ shape }) => shape![name] && misspelledMember(shape![name], member, at, room));
    if (name.length > LONGEST_NAME || --room.unknown < 0) return undefined;
    const nearest = known.find(each => bare(each) === bare(name)) ?? nearestName(name, known);
    if (nearest === undefined || Object.hasOwn(value, nearest)) return undefined;
    return { path: at, nearest: path === '' ? nearest : `${path}.${nearest}` };
  });
}

/** `verification_uuid` and `VerificationUUID` are the same word. */
const bare = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

function firstOf<T, F>(all: readonly T[], find: (each: T, index: number) => F | undefined): F | undefined {
  for (const [index, each] of all.entries()) {
    const found = find(each, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const misspelledRefusal = ({ path, nearest }: Misspelled): Refusal =>
  refusals.invalidField(path, 'is not known', `Did you mean \`${nearest}\`?`);

/** The refusal of a missing member says what came instead. */
export const withMisspelling = (refusal: Refusal, { path, nearest }: Misspelled): Refusal =>
  refusal.kind === 'missing-field' && refusal.field === nearest
    ? refusals.missingField(nearest, `\`${path}\` came: did you mean \`${nearest}\`?`)
    : refusal;
