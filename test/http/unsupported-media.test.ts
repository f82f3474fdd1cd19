import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const text = JSON.stringify({ verificationUuid: 'Müller' });
const post = async (path: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) => {
  const answer = await fetch(world.url + path, { method: 'POST', body, headers });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};
const bytes = (buffer: Buffer) => Uint8Array.from(buffer);

describe('D-39: requests', () => {
  test.each([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['zstd', Buffer.from(text)],
  ])('%s is 415 and named', async (coding, body) => {
    for (const path of ['/v1/verifications/tx/inquiry', '/sandbox/v1/faucet', '/devnet/ethereum']) {
      const answer = await post(path, bytes(body), { 'content-encoding': coding });
      expect(answer).toMatchObject({
        status: 415,
        body: {
          code: 'UNSUPPORTED-MEDIA-TYPE',
          message: `The body has the content coding ${coding}. Send it without one.`,
        },
      });
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
  });

  test('another charset is 415 and named', async () => {
    const headers = { 'content-type': 'application/json; charset=ISO-8859-1' };
    expect(await post('/v1/verifications/tx/inquiry', text, headers)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED-MEDIA-TYPE', message: 'The body has the charset iso-8859-1. Send UTF-8.' },
    });
  });

  test('bytes that are no UTF-8 are named with their position', async () => {
    const latin1 = bytes(Buffer.from(text, 'latin1'));
    expect(await post('/v1/verifications/tx/inquiry', latin1, {})).toMatchObject({
      status: 400,
      body: { code: 'BAD-REQUEST', message: 'The body is not UTF-8: byte 0xFC at position 22.' },
    });
  });

  test('a refused request stands among the exchanges', async () => {
    await post('/v1/verifications/tx/inquiry', bytes(gzipSync(text)), { 'content-encoding': 'gzip' });
    const { exchanges } = await world.api.exchanges({ status: '415' });
    expect(exchanges[0]).toMatchObject({
      direction: 'IN',
      operation: 'inquire-transaction',
      headers: { 'content-encoding': 'gzip' },
    });
  });
});
