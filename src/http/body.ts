import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refusals } from '../contract/refusals.ts';
import { charsetOf, codingsOf } from '../kernel/http-exchange.ts';
import { readUtf8 } from '../kernel/text-file.ts';
import { answerRefusal, send } from './answer.ts';
import type { Incoming } from './server.ts';

export const MAX_BODY_BYTES = 256 * 1024;
const UTF8 = /^(utf-?8|(us-)?ascii)$/;

interface BodyHeaders {
  'content-encoding'?: string | undefined;
  'content-type'?: string | undefined;
}

/** Reads a request body as text. Throws `Refusal` too-large, unsupported-media, not-json. */
export async function readText(
  body: Buffer | Request,
  headers: BodyHeaders,
  maxBytes = MAX_BODY_BYTES,
): Promise<string> {
  const bytes = await readBytes(body, maxBytes);
  if (bytes.byteLength === 0) return '';
  requireIdentity(headers);
  const charset = charsetOf(headers['content-type']);
  if (charset !== undefined && !UTF8.test(charset)) throw refusals.unsupportedCharset(charset);
  const { text, problem } = readUtf8(bytes);
  if (problem !== undefined) throw refusals.notUtf8(problem);
  return text;
}

/** D-39. Throws `Refusal` unsupported-media. */
function requireIdentity(headers: BodyHeaders): void {
  const [coding] = codingsOf(headers);
  if (coding !== undefined) throw refusals.unsupportedCoding(coding);
}

/** For routes that read the body themselves. */
export const identityOnly: MiddlewareHandler = async (c, next) => {
  try {
    requireIdentity({ 'content-encoding': c.req.header('content-encoding') });
  } catch (error) {
    return send(answerRefusal('sandbox', error as Refusal));
  }
  return next();
};

/** The request of Node. Undefined: a call inside the process, which has no answer to Node either. */
export function incomingOf(c: Context): Incoming | undefined {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: Incoming; outgoing?: object };
  return outgoing && incoming;
}

/** The listener has read the body already. A call inside the process brings a request. */
async function readBytes(body: Buffer | Request, maxBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.isBuffer(body) ? body : new Uint8Array(await body.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw refusals.tooLarge(maxBytes);
  return bytes;
}
