import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answerOf, type RawBehave } from '../support/vasp/raw-server.ts';
import { RIGHT, rawVasp, send, TEXT } from '../support/vasp/raw-vasp.ts';

/** VASPs behind proxies, firewalls and load balancers: what they send is HTTP, if not what we would send. */

const { server, exchanges, ask, problemOf, tell } = await rawVasp();

test('every call says who calls', async () => {
  server.behave(send(answerOf(TEXT)));
  await ask();
  expect(server.requests[0]!.text).toMatch(/\r\nuser-agent: robot-vasp\/\d+\.\d+\.\d+\S*\r\n/i);
  expect(exchanges[0]!.headers).toMatchObject({ 'user-agent': expect.stringMatching(/^robot-vasp\//) });
});

describe('D-39: content codings', () => {
  test.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['', Buffer.from(TEXT)],
  ])('%s is read', async (coding, body) => {
    server.behave(send(answerOf(body, { 'Content-Encoding': coding })));
    expect(await ask()).toEqual(RIGHT);
    expect(exchanges).toMatchObject([{ status: 200, response: TEXT, error: null }]);
  });

  test.each([
    ['zstd', TEXT, 'has the content coding zstd, and only gzip, deflate and br are read'],
    ['aes128gcm', TEXT, 'has the content coding aes128gcm, and only gzip, deflate and br are read'],
    ['gzip', TEXT, 'says Content-Encoding: gzip and cannot be decoded (incorrect header check)'],
    [
      'gzip',
      gzipSync(TEXT).subarray(0, 30),
      'says Content-Encoding: gzip and cannot be decoded (unexpected end of file)',
    ],
    ['br', gzipSync(TEXT), 'says Content-Encoding: br and cannot be decoded (Decompression failed)'],
    [
      'gzip, gzip, gzip, gzip, gzip',
      TEXT,
      'has the content coding gzip, gzip, gzip, gzip, gzip, and only gzip, deflate and br are read',
    ],
    ['gzip', gzipSync(Buffer.alloc(300 * 1024)), 'is longer than 256 KiB'],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000)), 'is longer than 256 KiB'],
    ['deflate', deflateSync(Buffer.alloc(300 * 1024)), 'is longer than 256 KiB'],
  ])('%s is named', async (coding, body, problem) => {
    server.behave(send(answerOf(body, { 'Content-Encoding': coding })));
    expect(await problemOf()).toBe(`The answer of the VASP ${problem}.`);
    expect(exchanges).toMatchObject([{ status: 200, error: `The answer of the VASP ${problem}.` }]);
  });

  test('an answer of exactly 256 KiB after decoding is read', async () => {
    const text = `${TEXT}${' '.repeat(256 * 1024 - Buffer.byteLength(TEXT))}`;
    server.behave(send(answerOf(gzipSync(text), { 'Content-Encoding': 'gzip' })));
    expect(await ask()).toEqual(RIGHT);
  });
});

describe('D-39: charsets', () => {
  const latin1 = Buffer.from(TEXT, 'latin1');
  const BOM = '\ufeff';
  test.each([
    ['UTF-8 with a byte order mark', `${BOM}${TEXT}`, 'application/json'],
    ['UTF-8 under another content type', TEXT, 'text/html'],
    ['ASCII that is called latin1', TEXT.replace('äöü', 'ab'), 'application/json; charset=latin1'],
    ['UTF-8 that is called ISO-8859-1', TEXT, 'application/json;charset="ISO-8859-1"'],
  ])('%s is read', async (_, body, contentType) => {
    server.behave(send(answerOf(body, { 'Content-Type': contentType })));
    expect(await ask()).toMatchObject({ transactionStatus: 'PROCESSING' });
  });

  test.each([
    ['ISO-8859-1', latin1, 'application/json', `is not UTF-8: byte 0xE4 at position ${latin1.indexOf(0xe4)}`],
    ['UTF-16 with a mark', Buffer.from(BOM + TEXT, 'utf16le'), 'application/json', 'is UTF-16 and should be UTF-8'],
    ['UTF-16 without', Buffer.from(TEXT, 'utf16le'), 'application/json', 'is UTF-16 and should be UTF-8'],
    [
      'big-endian UTF-16',
      Buffer.from(BOM + TEXT, 'utf16le').swap16(),
      'application/json',
      'is UTF-16 and should be UTF-8',
    ],
    ['UTF-7', TEXT, 'application/json; charset=UTF-7', 'has the charset utf-7 and should be UTF-8'],
  ])('%s is named', async (_, body, contentType, problem) => {
    server.behave(send(answerOf(body, { 'Content-Type': contentType })));
    expect(await problemOf()).toBe(`The answer of the VASP ${problem}.`);
  });

  test('another status is told before the problem of its body', async () => {
    server.behave(send(answerOf(latin1, {}, '403 Forbidden')));
    expect(await problemOf()).toBe('The VASP answered with status 403 instead of 200.');
  });

  test('D-13: of a callback only the status counts', async () => {
    for (const coding of ['identity', 'zstd']) {
      server.behave(send(answerOf(latin1, { 'Content-Encoding': coding })));
      expect(await tell()).toMatchObject({ status: 200 });
    }
  });
});

test('an answer in 60,000 chunks of one byte is left, and one in large chunks is read', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  server.behave(send(head, '1\r\n \r\n'.repeat(60_000), '0\r\n\r\n'));
  expect(await problemOf()).toBe('The VASP sent its answer in too many chunks of a few bytes.');
  const whole = `${Buffer.byteLength(TEXT).toString(16)}\r\n${TEXT}\r\n0\r\n\r\n`;
  server.behave(send(head, whole));
  expect(await ask()).toEqual(RIGHT);
});

describe('interim answers', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  test.each([
    ['100', [CONTINUE]],
    ['102', ['HTTP/1.1 102 Processing\r\n\r\n']],
    ['103 twice, then 100', [HINTS, HINTS, CONTINUE]],
    ['sixteen', Array.from({ length: 16 }, () => HINTS)],
  ])('%s: the final answer counts', async (_, interim) => {
    server.behave(send(...interim, answerOf(TEXT)));
    expect(await ask()).toEqual(RIGHT);
    expect(await ask()).toEqual(RIGHT);
    expect(server.requests.map(({ connection }) => connection)).toHaveLength(2);
  });

  test.each([CONTINUE, HINTS])('without end they are left after 16: %s', async interim => {
    server.behave(socket => {
      const stop = setInterval(() => socket.write(interim.repeat(20)), 1);
      socket.on('close', () => clearInterval(stop));
    });
    expect(await problemOf()).toBe(
      'The VASP sent more than 16 interim answers (status 1xx). What came after them was not read.',
    );
  });

  test('101 is named', async () => {
    server.behave(send('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n'));
    expect(await problemOf()).toBe('The VASP answered with status 101, but the call did not ask for another protocol.');
  });
});

describe('other forms of HTTP', () => {
  const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n`;
  test.each<[string, RawBehave]>([
    [
      'HTTP/1.0 until the end of the connection',
      socket => socket.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${TEXT}`),
    ],
    ['HTTP/1.1 without a length', socket => socket.end(`HTTP/1.1 200 OK\r\n\r\n${TEXT}`)],
    ['Connection: close', socket => socket.end(answerOf(TEXT, { Connection: 'close' }))],
    ['header names in capitals', send(answerOf(gzipSync(TEXT), { 'CONTENT-ENCODING': 'GZIP' }))],
    [
      'chunks with a trailer',
      send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n${chunked(TEXT)}X-Sum: 1\r\n\r\n`),
    ],
    ['no reason phrase', send(`HTTP/1.1 200\r\nContent-Length: ${Buffer.byteLength(TEXT)}\r\n\r\n${TEXT}`)],
  ])('%s is read', async (_, behave) => {
    server.behave(behave);
    expect(await ask()).toEqual(RIGHT);
  });

  test.each<[string, RawBehave, RegExp]>([
    ['an end in the body', socket => socket.end(answerOf(TEXT, { 'Content-Length': '500' })), /middle of the answer/],
    ['a length that is too short', send(answerOf(TEXT, { 'Content-Length': '20' })), /is not JSON/],
    [
      'a reset after the headers',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{');
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
      /middle of the answer/,
    ],
    [
      'an end in the chunks',
      socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{'),
      /middle of the answer/,
    ],
    [
      'a chunk without a size',
      send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'),
      /^The answer of the VASP is not HTTP \(HPE_INVALID_CHUNK_SIZE\)\.$/,
    ],
    [
      'an end at once',
      socket => socket.destroy(),
      /^The VASP closed the connection without an answer \(ECONNRESET\)\.$/,
    ],
    ['no body', send(answerOf('')), /has no body/],
    ['204', send('HTTP/1.1 204 No Content\r\n\r\n'), /status 204 instead of 200/],
    ['a redirection', send(answerOf('', { Location: '/there' }, '308 Permanent Redirect')), /status 308/],
    ['20 kB of headers', send(answerOf(TEXT, { 'X-Policy': 'a'.repeat(20_000) })), /has more than 16 KiB of headers/],
    ['no HTTP', socket => socket.end('220 smtp.example ready\r\n'), /is not HTTP/],
    ['410', send(answerOf('', {}, '410 Gone')), /status 410/],
    ['Retry-After', send(answerOf('', { 'Retry-After': '1' }, '503 Service Unavailable')), /status 503/],
  ])('%s is named', async (_, behave, message) => {
    server.behave(behave);
    expect(await problemOf()).toMatch(message);
    expect(server.requests).toHaveLength(1);
  });

  test('an answer that comes before the request was read counts', async () => {
    server.behave((socket, { text }) => {
      expect(text).toContain('POST');
      socket.write(answerOf(TEXT));
    });
    expect(await ask()).toEqual(RIGHT);
  });
});
