import { type JsonObject, parseJsonObject } from '../contract/json-object.ts';
import { refusals } from '../contract/refusals.ts';

export const MAX_BODY_BYTES = 256 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body. An empty body is `{}` when it may be absent. Throws `Refusal` too-large, not-json, not-object,
 * invalid-field.
 */
export async function readJsonObject(
  request: Request,
  mayBeAbsent = false,
  most = MAX_BODY_BYTES,
): Promise<JsonObject> {
  const bytes = await readBytes(request, most);
  if (mayBeAbsent && bytes.byteLength === 0) return {};
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw refusals.notJson();
  }
  return parseJsonObject(text);
}

/** The listener has read the body already. A call inside the process brings one, too. */
async function readBytes(request: Request, most: number): Promise<ArrayBuffer> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > most) throw refusals.tooLarge(most);
  return bytes;
}
