import { refusals } from './refusals.ts';

/** D-05: the checks of every JSON body, before its fields are validated: of requests and of the answers of a VASP. */

export const MAX_DEPTH = 64;

export type JsonObject = { [member: string]: unknown };

/** Throws `Refusal` not-json, not-object, invalid-field. */
export function parseJsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusals.notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusals.notObject();
  if (mayHaveFlaw(text)) checkMembers(value);
  return value as JsonObject;
}

const ESCAPED_SURROGATE = /\\u[dD]/;

/** A text without such an escape and with few brackets has nothing that `checkMembers` refuses. */
const mayHaveFlaw = (text: string): boolean =>
  !text.isWellFormed() || ESCAPED_SURROGATE.test(text) || hasManyBrackets(text);

function hasManyBrackets(text: string): boolean {
  let left = MAX_DEPTH;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}

/** Personal data may have any members. Their depth and their text are checked here, because no schema does. */
function checkMembers(value: object, depth = 0, path = ''): void {
  if (depth > MAX_DEPTH)
    throw refusals.invalidField(firstMember(path), `should have at most ${MAX_DEPTH} nested levels`);
  for (const name in value) {
    const member = (value as JsonObject)[name];
    const at = path === '' ? name : path;
    if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw refusals.invalidField(firstMember(at), 'should be well-formed Unicode text');
    if (typeof member === 'object' && member !== null) checkMembers(member, depth + 1, at);
  }
}

const firstMember = (path: string): string => (path.isWellFormed() ? path : 'body');
