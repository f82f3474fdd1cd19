import { createCipheriv, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDataKey, secretBox } from '../../src/kernel/secret-box.ts';

const PLACE = '1001 token';
const [first, second, third] = [newDataKey(), newDataKey(), newDataKey()];

/** As an earlier version sealed it: without the id of the key. */
function sealedBefore(text: string, key: string): string {
  const bytes = new Uint8Array(hkdfSync('sha256', key, '', 'robot-vasp secrets at rest', 32));
  const iv = Buffer.alloc(12, 7);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv).setAAD(Buffer.from(PLACE));
  const content = [cipher.update(text, 'utf8'), cipher.final()];
  return `sealed:1:${Buffer.concat([iv, cipher.getAuthTag(), ...content]).toString('base64')}`;
}

test('a text is opened at its place alone', () => {
  const box = secretBox([first]);
  const stored = box.seal('a token: with a colon', PLACE);
  expect(stored).not.toContain('token');
  expect(box.open(stored, PLACE)).toBe('a token: with a colon');
  expect(() => box.open(stored, '1002 token')).toThrow(/another key/);
});

test('an earlier key opens, but is not current', () => {
  const stored = secretBox([first]).seal('text', PLACE);
  const box = secretBox([second, first]);
  expect(box.open(stored, PLACE)).toBe('text');
  expect(box.isCurrent(stored)).toBe(false);
  expect(box.isCurrent(box.seal('text', PLACE))).toBe(true);
});

test('another key is refused without opening anything', () => {
  const stored = secretBox([third]).seal('text', PLACE);
  const box = secretBox([second, first]);
  expect(() => box.isCurrent(stored)).toThrow(/another key/);
  expect(() => box.open(stored, PLACE)).toThrow(/another key/);
});

test('a text of an earlier version is opened, but is not current', () => {
  const stored = sealedBefore('text', first);
  const box = secretBox([second, first]);
  expect(box.open(stored, PLACE)).toBe('text');
  expect(box.isCurrent(stored)).toBe(false);
  expect(() => secretBox([third]).open(stored, PLACE)).toThrow(/another key/);
});

test('a text in clear stays as it is', () => {
  const box = secretBox([first]);
  expect(box.open('text', PLACE)).toBe('text');
  expect(box.isCurrent('text')).toBe(false);
});
