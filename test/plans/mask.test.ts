import { describe, expect, test } from 'vitest';
import { maskedBody } from '../../src/plans/report/mask.ts';

const BODY = {
  callbackType: 'VERIFICATION_RESULT',
  data: {
    name: { nameIdentifier: [{ primaryIdentifier: 'Kim "K" \\', nameIdentifierType: 'LEGL' }] },
    addressLine: ['Kim street ] 1', 'Kim town'],
    accountNumber: ['0x1'],
  },
};
const COMPACT = JSON.stringify(BODY);
const SPACED = JSON.stringify(BODY, null, 2);

describe('a body in a masked report', () => {
  test.each([COMPACT, SPACED])('has its shape and no data of a person', body => {
    const masked = maskedBody(body)!;
    expect(masked).not.toContain('Kim');
    expect(JSON.parse(masked)).toMatchObject({
      callbackType: 'VERIFICATION_RESULT',
      data: { addressLine: ['***', '***'], accountNumber: ['0x1'] },
    });
  });

  test.each([COMPACT, SPACED])('has none where it was cut, wherever that is', body => {
    for (let length = 0; length < body.length; length++) {
      const masked = maskedBody(`${body.slice(0, length)}…`)!;
      expect(masked).not.toContain('Kim');
      if (length > 50) expect(masked).toContain('VERIFICATION_RESULT');
    }
  });

  test.each(["{'primaryIdentifier': 'Kim'}", 'primaryIdentifier=Kim', '<name>Kim</name>', 'Kim'])(
    'is replaced where it is no JSON: %s',
    body => expect(maskedBody(body)).toBe(`*** (not JSON, ${body.length} characters)`),
  );

  test('stays empty', () => expect(maskedBody(null)).toBeNull());
});
