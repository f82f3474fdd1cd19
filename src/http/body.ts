import { refusals } from '../contract/refusals.ts';

/** D-05: the checks of every JSON body, before its fields are validated. */

export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type JsonObject = { [member: string]: unknown };

/**
 * Reads a request body. An empty body is `{}` when it may be absent. Throws `Refusal` too-large, not-json, not-object,
 * invalid-field.
 */
export async function readJsonObject(request: Request, mayBeAbsent = false): Promise<JsonObject> {
  const bytes = await readBytes(request);
  if (mayBeAbsent && bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw refusals.notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusals.notObject();
  checkMembers(value, 0, '');
  return value as JsonObject;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES)
    throw refusals.tooLarge(MAX_BODY_BYTES);
  if (request.headers.get('transfer-encoding') === null) return checkSize(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw refusals.tooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function checkSize(bytes: ArrayBuffer): Uint8Array {
  if (bytes.byteLength > MAX_BODY_BYTES) throw refusals.tooLarge(MAX_BODY_BYTES);
  return new Uint8Array(bytes);
}

/** Personal data may have any members. Their depth and their text are checked here, because no schema does. */
function checkMembers(value: object, depth: number, path: string): void {
  if (depth > MAX_DEPTH)
    throw refusals.invalidField(firstMember(path), `should have at most ${MAX_DEPTH} nested levels`);
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : path;
    if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw refusals.invalidField(firstMember(at), 'should be well-formed Unicode text');
    if (typeof member === 'object' && member !== null) checkMembers(member, depth + 1, at);
  }
}

const firstMember = (path: string): string => (path.isWellFormed() ? path : 'body');
