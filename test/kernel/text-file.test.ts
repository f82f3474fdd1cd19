import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readText } from '../../src/kernel/text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'customers.json');
const readOf = (bytes: Uint8Array): string => {
  writeFileSync(file, bytes);
  return readText(file);
};
const MULLER = '{"name":"Müller"}';
/** 김: EUC-KR has it in two bytes. */
const KIM = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xb1, 0xe8]), Buffer.from('"}')]);
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['', ''],
  ['\ufeff', ''],
])('UTF-8, with and without a byte order mark: its text', (mark, before) => {
  expect(readOf(Buffer.from(`${mark}${MULLER}`))).toBe(`${before}${MULLER}`);
});

test.each([
  ['UTF-16 with a mark', Buffer.from(`\ufeff${MULLER}`, 'utf16le'), 'is UTF-16 and should be UTF-8'],
  ['UTF-16 without', Buffer.from(MULLER, 'utf16le'), 'is UTF-16 and should be UTF-8'],
  ['big-endian UTF-16', big(`\ufeff${MULLER}`), 'is UTF-16 and should be UTF-8'],
  ['Latin-1', Buffer.from(MULLER, 'latin1'), 'byte 0xFC at position 10. It seems to be Windows-1252 (Latin-1)'],
  ['EUC-KR', KIM, 'byte 0xB1 at position 9. It seems to be EUC-KR'],
  [
    'cut UTF-8',
    Buffer.from(MULLER).subarray(0, 11),
    'byte 0xC3 at position 10. It seems to be cut off, or Windows-1252',
  ],
  [
    'Latin-1 whose last character is é',
    Buffer.from('Café', 'latin1'),
    'It seems to be cut off, or Windows-1252 (Latin-1)',
  ],
])('%s: an error that names the file, the encoding and what to do', (_, bytes, why) => {
  expect(() => readOf(bytes)).toThrow(file);
  expect(() => readOf(bytes)).toThrow(why);
  expect(() => readOf(bytes)).toThrow('. Save it as UTF-8.');
});

test('a compressed file: an error that says so', () => {
  expect(() => readOf(Buffer.from([0x1f, 0x8b, 0x08, 0x00]))).toThrow('is no text. Name a file with UTF-8 text.');
});

test('a file that is missing, and a folder', () => {
  expect(() => readText(join(folder, 'nowhere'))).toThrow('nowhere cannot be read (ENOENT)');
  expect(() => readText(folder)).toThrow(`${folder} is a folder, not a file`);
});

test.runIf(process.platform === 'linux')('a file of /proc says that it is empty, and is read whole', () => {
  expect(readText('/proc/version')).toContain('Linux');
});
