import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearTokens, otherToken, TOLD_TOKEN, withoutTokens } from '../../src/plans/steps/wrong-tokens.ts';

/** S1, S5: what a sound VASP may take for the right token is not sent as a wrong one. */

const base64 = (text: string) => Buffer.from(text).toString('base64');
const variants = (right: string) => Object.fromEntries(nearTokens(right));

test('each variant is another token, and begins with nothing but a scheme or the right beginning', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), right => {
      for (const [, token] of nearTokens(right)) expect(token).not.toBe(right);
      expect(otherToken(right)).not.toBe(right);
    }),
  );
  expect(otherToken('a-wrong-token')).not.toBe('a-wrong-token');
});

test('a token with letters has all three variants', () => {
  expect(variants('s3cret-Token')).toEqual({
    'its beginning': 's3cret-Tok',
    'it with more characters': 's3cret-Tokenxxxx',
    'it in the other case': 'S3CRET-TOKEN',
  });
});

test.each(['123456', '0987-6543', '………', '한국어'])(
  'a token without letters of two cases has no other case: %s',
  right => expect(Object.keys(variants(right))).toEqual(['its beginning', 'it with more characters']),
);

test('the scheme stays: it is compared without regard to case', () => {
  expect(variants('Bearer 1234')).toEqual({
    'its beginning': 'Bearer 12',
    'it with more characters': 'Bearer 1234xxxx',
  });
  expect(variants('Token abc')['it in the other case']).toBe('Token ABC');
});

describe('a code is another one for a reader of base64 that ignores what it does not need', () => {
  const read = (token: string) => Buffer.from(token.split('.').at(-1)!, 'base64').toString('latin1');

  test('base64, base64url and the signature of a JWT of any length', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 3, maxLength: 70 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
        fc.constantFrom('', 'eyJhbGciOiJIUzI1NiJ9.e30.'),
        (bytes, form, before) => {
          const right = before + Buffer.from(bytes).toString(form);
          const { 'its beginning': shorter = '', 'it with more characters': longer = '' } = variants(right);
          expect(read(shorter)).not.toBe(read(right));
          expect(read(longer)).not.toBe(read(right));
        },
      ),
    );
  });

  test('Basic: the password changes, not its code; one without letters has no other case', () => {
    const changed = (credentials: string) =>
      Object.values(variants(`Basic ${base64(credentials)}`)).map(token => {
        expect(token.startsWith('Basic ')).toBe(true);
        return Buffer.from(token.slice(6), 'base64').toString();
      });
    expect(changed('vasp:open:Sesame')).toEqual(['vasp:open:Sesa', 'vasp:open:Sesamex', 'vasp:OPEN:SESAME']);
    expect(changed('vasp:1234')).toEqual(['vasp:12', 'vasp:1234xxxx']);
  });
});

test.each(['s3cret-Token', 'Bearer s3cret-Token', '12345678', `Basic ${base64('user:S3cret-pass')}`])(
  'S8: the answer to a token that is nearly right shows whether it tells the right one: %s',
  right => {
    for (const [which, given] of nearTokens(right)) {
      const hide = withoutTokens(right, given);
      expect(hide(`wanted: ${right}.`), which).toBe(`wanted: ${TOLD_TOKEN}.`);
      expect(hide(`not: ${given}.`), which).toBe('not: ***.');
    }
  },
);
