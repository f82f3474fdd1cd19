import { DIALECT_NAMES, foreignNameOf } from './dialects.ts';

/** Sentences for a refusal: what came in another dialect. The network keeps the names of IVMS101 (2020). */

/** `path` of `holder`, whose member should have one of the `wanted` names. */
export function foreignNameHint(
  wanted: readonly string[],
  holder: unknown,
  path: string,
): string | undefined {
  for (const name of wanted) {
    const foreign = foreignNameOf(name, holder);
    if (!foreign) continue;
    const at = path === '' ? foreign.name : `${path}.${foreign.name}`;
    return `\`${at}\` is written ${DIALECT_NAMES[foreign.dialect]}: name it \`${name}\`.`;
  }
  return undefined;
}

/** `expected`: a type of JSON. `member`: its name. */
export function shapeHint(expected: string, found: unknown, member: string): string | undefined {
  if (expected === 'array' && typeof found === 'object')
    return 'One object came, as some libraries write a list of one: put it into a list.';
  if (expected === 'array') return 'One value came: put it into a list.';
  if (expected !== 'object' || !Array.isArray(found)) return undefined;
  const as = member === 'name' ? ', as TAP writes it' : '';
  return `A list came${as}: send its element as one object.`;
}
