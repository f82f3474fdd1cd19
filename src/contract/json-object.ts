import { refusals } from './refusals.ts';

/** D-05: the checks of every JSON body, before its fields are validated: of requests and of the answers of a VASP. */

export const MAX_DEPTH = 64;
/** A list of any body has at most this many elements, unless its operation takes more. */
export const MAX_ELEMENTS = 100;

export type JsonObject = { [member: string]: unknown };

/** Throws `Refusal` not-json, not-object, invalid-field. */
export function parseJsonObject(text: string, mostElements = MAX_ELEMENTS): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusals.notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusals.notObject();
  checkMembers(value, mostElements);
  return value as JsonObject;
}

/** Personal data may have any members. Their depth, their text and their lists are checked here: no schema does, or too late. */
function checkMembers(value: object, mostElements: number, depth = 0, path = ''): void {
  if (depth > MAX_DEPTH)
    throw refusals.invalidField(firstMember(path), `should have at most ${MAX_DEPTH} nested levels`);
  if (Array.isArray(value) && value.length > mostElements)
    throw refusals.invalidField(
      path.isWellFormed() ? path : 'body',
      `should have at most ${mostElements} elements`,
    );
  for (const name in value) {
    const member = (value as JsonObject)[name];
    const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw refusals.invalidField(firstMember(at), 'should be well-formed Unicode text');
    if (typeof member === 'object' && member !== null) checkMembers(member, mostElements, depth + 1, at);
  }
}

const firstMember = (path: string): string => {
  const [first = ''] = path.split(/[.[]/);
  return first.isWellFormed() && first !== '' ? first : 'body';
};
