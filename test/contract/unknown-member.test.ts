import { expect, test } from 'vitest';
import * as z from 'zod';
import { parse } from '../../src/contract/parse.ts';

test('D-05: a member that a strict object does not know is named, and strange names are not repeated', () => {
  const schema = z.strictObject({ inside: z.strictObject({ known: z.string() }).optional() });
  const messageOf = (value: object) => {
    try {
      return parse(schema, value);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(messageOf({ other: 1 })).toBe('`other` is not known.');
  expect(messageOf({ inside: { known: '', BTC: 1 } })).toBe('`inside.BTC` is not known.');
  expect(messageOf({ '<script>': 1 })).toBe('`body` has a member that is not known.');
});
