import type { Context } from 'hono';
import { refusals } from '../contract/refusals.ts';
import type { Incoming } from './server.ts';

export const MAX_BODY_BYTES = 256 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a request body as text. Throws `Refusal` too-large, not-json. */
export async function readText(body: Buffer | Request, most = MAX_BODY_BYTES): Promise<string> {
  const bytes = await readBytes(body, most);
  try {
    return utf8.decode(bytes);
  } catch {
    throw refusals.notJson();
  }
}

/** The request of Node. Undefined: a call inside the process, which has no answer to Node either. */
export function incomingOf(c: Context): Incoming | undefined {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: Incoming; outgoing?: object };
  return outgoing && incoming;
}

/** The listener has read the body already. A call inside the process brings a request. */
async function readBytes(body: Buffer | Request, most: number): Promise<Uint8Array> {
  const bytes = Buffer.isBuffer(body) ? body : new Uint8Array(await body.arrayBuffer());
  if (bytes.byteLength > most) throw refusals.tooLarge(most);
  return bytes;
}
