import { request } from 'undici';

const TIMEOUT_MS = 30_000;

/** Passes a JSON-RPC body on to the node and its answer back, both as they are. Throws when it does not answer. */
export async function forward(url: string, rpc: ArrayBuffer): Promise<{ status: number; body: ArrayBuffer }> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(rpc),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return { status: statusCode, body: await body.arrayBuffer() };
}
