import { describe, expect, test } from 'vitest';
import { parseJsonObject } from '../../src/contract/parse.ts';
import { Refusal } from '../../src/contract/refusals.ts';
import { MAX_BODY_BYTES, readText } from '../../src/http/body.ts';

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream;
const request = (body: Body | null, headers: Record<string, string> = {}) =>
  new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

const readJsonObject = async (sent: Request) => parseJsonObject(await readText(sent, Object.fromEntries(sent.headers)));

async function refusalOf(body: Body | null, headers?: Record<string, string>): Promise<Refusal> {
  const read = await readJsonObject(request(body, headers)).catch(error => error);
  expect(read).toBeInstanceOf(Refusal);
  return read;
}

const streamed = (text: string, chunkBytes = 1_000) => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkBytes));
      at += chunkBytes;
    },
  });
};

describe('a list of a body', () => {
  const listOf = (count: number, flat = true) => JSON.stringify(Array(count).fill(flat ? 'x' : { y: 'z' }));

  test.each([
    ['accounts', (list: string) => `{"accounts":${list}}`],
    ['a.b[1].accounts', (list: string) => `{"a":{"b":[1,{"accounts":${list}}]}}`],
    ['unknown', (list: string) => `{"x":1,"unknown":${list}}`],
  ])('has at most 100 elements: %s', async (field, write) => {
    for (const flat of [true, false]) {
      expect(await readJsonObject(request(write(listOf(100, flat))))).toEqual(JSON.parse(write(listOf(100, flat))));
      for (const count of [101, 20_000]) {
        const refusal = await refusalOf(write(listOf(count, flat)));
        expect(refusal.message).toBe(`\`${field}\` should have at most 100 elements.`);
      }
    }
  });

  test('an operation may take more', () => {
    const text = `{"a":${listOf(101)}}`;
    expect(parseJsonObject(text, 1000)).toEqual(JSON.parse(text));
    expect(() => parseJsonObject(`{"a":${listOf(1001)}}`, 1000)).toThrow('at most 1000 elements');
  });

  test('many commas in texts and members are no list', () => {
    const text = JSON.stringify({ note: ','.repeat(1000), ...Object.fromEntries(Array(300).entries()) });
    expect(parseJsonObject(text)).toEqual(JSON.parse(text));
  });
});

describe('D-05: a body', () => {
  test.each([
    ['{"symbol":"ETH","symbol":"XRP"}', '`symbol` came twice. Send it once.'],
    ['{"payload":{"ivms101":[{"a":1},{"b":1,"b":1}]}}', '`payload.ivms101[1].b` came twice. Send it once.'],
    ['{"a":{"__proto__":1,"__proto__":2}}', '`a.__proto__` came twice. Send it once.'],
    [`{"${'n'.repeat(300)}":1,"${'n'.repeat(300)}":1}`, '`body` has a member twice. Send it once.'],
    ['{"a":{"\\ud800":1,"\\ud800":2},"a":1}', '`body` has a member twice. Send it once.'],
  ])('%s has no member twice', async (text, message) => {
    expect(await refusalOf(text)).toMatchObject({ kind: 'invalid-field', message });
  });

  test('is a JSON object, in whatever encoding of the transport', async () => {
    const text = JSON.stringify({ a: 'é😀', b: [1, null, { c: true }] });
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await readJsonObject(request(text))).toEqual(JSON.parse(text));
    expect(await readJsonObject(request(`\ufeff ${text}\n`))).toEqual(JSON.parse(text));
    // Chunks that end inside a character.
    expect(await readJsonObject(request(streamed(text, 1), chunked))).toEqual(JSON.parse(text));
  });

  test.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['no JSON', 'hello'],
    ['a form', 'a=1&b=2'],
    ['cut off', '{"a":'],
    ['two values', '{}{}'],
    ['single quotes', "{'a':1}"],
    ['a comment', '{/* a */}'],
    ['NaN', '{"a":NaN}'],
    ['a leading zero', '{"a":01}'],
  ])('%s is not JSON', async (_, text) => {
    expect((await refusalOf(text)).kind).toBe('not-json');
  });

  test.each([
    ['a lone continuation byte', '{"a":"\x80"}', 'is not UTF-8: byte 0x80 at position 6'],
    ['ISO-8859-1', '{"a":"Müller"}', 'is not UTF-8: byte 0xFC at position 7'],
    ['an encoded surrogate', '{"a":"\xed\xa0\x80"}', 'is not UTF-8: byte 0xED at position 6'],
    ['a character that is cut off', '{"a":"\xe2\x82', 'is not UTF-8: byte 0xE2 at position 6'],
    ['UTF-16 with a mark', '\xff\xfe{\0}\0', 'is UTF-16 and should be UTF-8'],
    ['UTF-16 without a mark', '{\0}\0', 'is UTF-16 and should be UTF-8'],
    ['big-endian UTF-16', '\0{\0}', 'is UTF-16 and should be UTF-8'],
    ['UTF-32', '\xff\xfe\0\0{\0\0\0', 'is UTF-32 and should be UTF-8'],
  ])('%s is not UTF-8, and the refusal says so', async (_, bytes, problem) => {
    const refusal = await refusalOf(Uint8Array.from(Buffer.from(bytes, 'latin1')));
    expect(refusal).toMatchObject({ kind: 'not-json', message: `The body ${problem}.` });
  });

  test.each([
    [{ 'content-encoding': 'gzip' }, 'content coding gzip'],
    [{ 'content-encoding': 'identity, BR' }, 'content coding br'],
    [{ 'content-encoding': 'zstd' }, 'content coding zstd'],
    [{ 'content-type': 'application/json; charset=latin1' }, 'charset latin1'],
    [{ 'content-type': 'application/json;Charset="UTF-16LE"' }, 'charset utf-16le'],
    [{ 'content-type': 'application/json; charset=utf-7' }, 'charset utf-7'],
  ] as [Record<string, string>, string][])('D-39: %j is refused by its name', async (headers, named) => {
    const refusal = await refusalOf('{}', headers);
    expect(refusal).toMatchObject({ kind: 'unsupported-media' });
    expect(refusal.message).toContain(named);
  });

  test.each([
    { 'content-encoding': 'identity' },
    { 'content-encoding': '' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF8"' },
    { 'content-type': 'text/plain; charset=us-ascii' },
  ] as Record<string, string>[])('D-39: %j is read', async headers => {
    expect(await readJsonObject(request('{"a":1}', headers))).toEqual({ a: 1 });
  });

  test.each(['null', '[]', '[{"a":1}]', '"text"', '7', 'true'])('%s is no object', async text => {
    expect((await refusalOf(text)).kind).toBe('not-object');
  });

  test('of 256 KiB is read, of a byte more refused, whatever the headers say', async () => {
    const filler = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    const exact = filler(MAX_BODY_BYTES);
    const more = filler(MAX_BODY_BYTES + 1);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await readJsonObject(request(exact, { 'content-length': `${exact.length}` }))).toHaveProperty('a');
    expect(await readJsonObject(request(streamed(exact), chunked))).toHaveProperty('a');
    expect((await refusalOf(more, { 'content-length': `${more.length}` })).kind).toBe('too-large');
    expect((await refusalOf(streamed(more), chunked)).kind).toBe('too-large');
    expect((await refusalOf(more)).kind).toBe('too-large');
  });

  test('may nest 64 deep, no deeper; the refusal names the member', async () => {
    const nested = (depth: number) => `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(await readJsonObject(request(nested(64)))).toHaveProperty('deep');
    for (const depth of [65, 1_000, 100_000])
      expect(await refusalOf(nested(depth))).toMatchObject({ kind: 'invalid-field', field: 'deep' });
  });

  test.each([
    ['a value', '{"name":"\\ud800"}', 'name'],
    ['a value deep inside', '{"payload":{"persons":[{"x":"a\\udfff"}]}}', 'payload.persons[0].x'],
    ['a member with text', '{"payload":{"\\ud800":"x"}}', 'payload'],
    ['a member with a number', '{"payload":{"\\udc00":1}}', 'payload'],
    ['the first member', '{"\\ud800":"x"}', 'body'],
  ])('a lone surrogate in %s is refused', async (_, text, field) => {
    const refusal = await refusalOf(text);
    expect(refusal).toMatchObject({ kind: 'invalid-field', field });
    expect(refusal.message.isWellFormed()).toBe(true);
  });

  test('names what every object inherits as ordinary members', async () => {
    const body = await readJsonObject(request('{"__proto__":{"polluted":true},"constructor":1}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
  });
});
