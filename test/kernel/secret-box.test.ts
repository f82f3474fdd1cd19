import { expect, test } from 'vitest';
import { newDataKey, secretBox } from '../../src/kernel/secrets.ts';

const PLACE = '1001 token';
const [first, second, third] = [newDataKey(), newDataKey(), newDataKey()];

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

test('a text in clear, or of another program, is refused', () => {
  const box = secretBox([first]);
  for (const stored of ['text', 'sealed:', `sealed:1:${'A'.repeat(60)}`]) {
    expect(() => box.open(stored, PLACE)).toThrow(/another key/);
    expect(() => box.isCurrent(stored)).toThrow(/another key/);
  }
});
