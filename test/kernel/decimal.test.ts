import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatUnits, isDecimal, parseUnits, toUnits } from '../../src/kernel/decimal.ts';

describe('PROD-6: decimal text and base units', () => {
  test.each([
    ['0', 18, 0n],
    ['1', 18, 10n ** 18n],
    ['0.024', 18, 24n * 10n ** 15n],
    ['0.000000000000000001', 18, 1n],
    ['1.500000', 6, 1_500_000n],
    ['0.10', 6, 100_000n],
    ['100000000000', 6, 10n ** 17n],
    ['7', 0, 7n],
  ])('%s with %i decimals is %i units', (text, decimals, units) => {
    expect(parseUnits(text, decimals)).toBe(units);
  });

  test.each([
    '',
    ' ',
    '1e3',
    '1E3',
    '-1',
    '-0',
    '+1',
    'NaN',
    'Infinity',
    '01',
    '00',
    '.5',
    '5.',
    '1..2',
    '1.2.3',
    '1,5',
    '1_000',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '١',
    '１',
    '1.5e0',
    '--1',
    'null',
  ])('%j is no decimal text', text => {
    expect(parseUnits(text, 18)).toBe('not-decimal');
    expect(isDecimal(text)).toBe(false);
    expect(() => toUnits(text, 18)).toThrow(RangeError);
  });

  test.each([
    ['0.0000000000000000001', 18],
    ['1.0000000', 6],
    ['1.0', 0],
  ])('%s has more than %i decimals, zeros too', (text, decimals) => {
    expect(parseUnits(text, decimals)).toBe('too-many-decimals');
    expect(isDecimal(text)).toBe(true);
  });

  test('what is formatted is the shortest text', () => {
    expect(formatUnits(0n, 18)).toBe('0');
    expect(formatUnits(1_500_000n, 6)).toBe('1.5');
    expect(formatUnits(1_000_000n, 6)).toBe('1');
    expect(formatUnits(1n, 18)).toBe('0.000000000000000001');
    expect(formatUnits(7n, 0)).toBe('7');
    expect(formatUnits(-1n, 6)).toBe('-0.000001');
  });
});

const decimalsOf = fc.integer({ min: 0, max: 30 });
const units = fc.bigInt({ min: 0n, max: 10n ** 60n });

test('no unit is lost or made: format, then parse, is the same amount', () => {
  fc.assert(
    fc.property(units, decimalsOf, (amount, decimals) => {
      const text = formatUnits(amount, decimals);
      expect(isDecimal(text)).toBe(true);
      expect(parseUnits(text, decimals)).toBe(amount);
      expect(text).not.toMatch(/\.\d*0$|\.$/);
    }),
  );
});

test('every text of the grammar is parsed exactly, and its shortest form means the same', () => {
  const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,40}$/));
  const fraction = fc.stringMatching(/^\d{0,18}$/);
  fc.assert(
    fc.property(whole, fraction, (before, after) => {
      const text = after === '' ? before : `${before}.${after}`;
      const parsed = parseUnits(text, 18) as bigint;
      expect(parsed).toBe(BigInt(before) * 10n ** 18n + BigInt(after.padEnd(18, '0') || 0));
      expect(parseUnits(formatUnits(parsed, 18), 18)).toBe(parsed);
    }),
  );
});

test('amounts add up as their units do', () => {
  fc.assert(
    fc.property(units, units, decimalsOf, (a, b, decimals) => {
      const sum = toUnits(formatUnits(a, decimals), decimals) + toUnits(formatUnits(b, decimals), decimals);
      expect(sum).toBe(a + b);
    }),
  );
});

test('any text is either refused or exact, never rounded', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.\deE ]{0,12}$/)), text => {
      const parsed = parseUnits(text, 6);
      if (typeof parsed === 'bigint') expect(Number(formatUnits(parsed, 6))).toBe(Number(text));
      else expect(['not-decimal', 'too-many-decimals']).toContain(parsed);
    }),
  );
});
