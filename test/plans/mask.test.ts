import { describe, expect, test } from 'vitest';
import { COMPONENTS } from '../../src/contract/ivms101-check/constraints.ts';
import { cutText } from '../../src/kernel/text.ts';
import { masked, maskedBody } from '../../src/plans/report/mask.ts';

const BODY = {
  callbackType: 'VERIFICATION_RESULT',
  data: {
    name: { nameIdentifier: [{ primaryIdentifier: 'Kim "K" \\', nameIdentifierType: 'LEGL' }] },
    addressLine: ['Kim street ] 1', 'Kim town'],
    accountNumber: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  },
};
const COMPACT = JSON.stringify(BODY);
const SPACED = JSON.stringify(BODY, null, 2);

/** Members of the standard that hold no data of a person, in the form that may stand. */
const LISTED = ['accountNumber', 'addressType', 'nationalIdentifierType', 'nameIdentifierType'];
const MEMBERS = [...new Set(Object.values(COMPONENTS).flatMap(Object.keys))];
const SPELLINGS: Record<string, (member: string) => string> = {
  'as it is': member => member,
  PascalCase: member => member[0]!.toUpperCase() + member.slice(1),
  snake_case: member => member.replace(/[A-Z]+/g, part => `_${part.toLowerCase()}`),
  'kebab-case': member => member.replace(/[A-Z]+/g, part => `-${part.toLowerCase()}`),
  lowercase: member => member.toLowerCase(),
  UPPERCASE: member => member.toUpperCase(),
  plural: member => `${member}s`,
  escaped: member => member.replace('i', '\\u0069'),
};
/** The mark, where a value of the member may be a text, and something else. */
const PLACES: Record<string, (mark: string) => string> = {
  text: mark => `"${mark}"`,
  list: mark => `["LEGL", "${mark}"]`,
  'list of lists': mark => `[["${mark}"]]`,
  'object in place of a text': mark => `{"value": "${mark}", "a": {"b": ["${mark}"]}}`,
  'JSON in a text': mark => JSON.stringify(JSON.stringify({ a: [{ b: mark }] })),
  'JSON in JSON in a text': mark => JSON.stringify(JSON.stringify(JSON.stringify([mark]))),
  escaped: mark => `"${[...mark].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
};

describe('a body in a masked report', () => {
  test.each([COMPACT, SPACED])('has its shape and no data of a person', body => {
    const masked = maskedBody(body)!;
    expect(masked).not.toContain('Kim');
    expect(JSON.parse(masked)).toEqual({
      callbackType: 'VERIFICATION_RESULT',
      data: {
        name: { nameIdentifier: [{ primaryIdentifier: '***', nameIdentifierType: 'LEGL' }] },
        addressLine: ['***', '***'],
        accountNumber: BODY.data.accountNumber,
      },
    });
  });

  test.each([COMPACT, SPACED])('has none where it was cut, wherever that is', body => {
    for (let length = 0; length < body.length; length++) {
      const masked = maskedBody(`${body.slice(0, length)}…`)!;
      expect(masked).not.toContain('Kim');
      if (length > 50) expect(masked).toContain('VERIFICATION_RESULT');
    }
  });

  test.each(Object.entries(SPELLINGS))('has none in any member of the standard, %s', (_, spelled) => {
    expect(MEMBERS.length).toBeGreaterThan(50);
    for (const member of MEMBERS)
      for (const [where, place] of Object.entries(PLACES))
        for (const mark of ['Kim', '1990-02-28', 'KIM']) {
          const body = `{"payload": {"ivms101": {"${spelled(member)}": ${place(mark)}, "symbol": "ETH"}}}`;
          for (const sent of [body, body.slice(0, -3), JSON.stringify(body)]) {
            const masked = maskedBody(sent)!;
            expect(visible(masked), `${member}, ${where}`).not.toContain(mark);
            expect(masked).toContain('ETH');
          }
        }
  });

  test.each(['19900228', '1990.0228', 'true', '-1990', '1e9', '[1990, 2, 28]', '{"year": 1990}'])(
    'has none that is no text: %s',
    value => {
      for (const member of MEMBERS.filter(each => !LISTED.includes(each)))
        expect(maskedBody(`{"${member}":${value}}`)).not.toMatch(/1990|true|28|1e9/);
    },
  );

  test('shows what is absent, and what the members of the network hold in their form', () => {
    const body = {
      dateOfBirth: null,
      verificationUuid: '0b6b4a3c-5d5c-4e5e-8a5f-0d0c0b0a0908',
      reason: 'MISMATCHED-NAME',
      isExceedingThreshold: true,
      amount: '0.024',
      vout: 0,
      createdAt: '2026-11-28T17:49:00.000Z',
      requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME, ACCOUNT_NUMBER',
      accountNumber: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:5'],
      txHash: `0x${'ab'.repeat(32)}`,
    };
    expect(JSON.parse(maskedBody(JSON.stringify(body))!)).toEqual(body);
  });

  test('shows a wrong name of a network, which is the cause of a denial', () => {
    for (const network of ['XRP', 'XRP Ledger', 'xrpl-testnet', 'ERC20', 'Ethereum Mainnet'])
      expect(maskedBody(JSON.stringify({ network }))).toBe(JSON.stringify({ network }));
    for (const network of ['Kim', 'XRP Kim', 'Kim-testnet'])
      expect(maskedBody(JSON.stringify({ network }))).not.toMatch(/kim/i);
  });

  test.each(['reason', 'symbol', 'amount', 'accountNumber', 'txHash', 'createdAt', 'status', 'version'])(
    'hides a person in the listed member %s',
    member => {
      for (const value of ['Kim Minsu', 'kim', '1990-02-28', 'Kim street 1', { a: 'Kim' }, ['Kim'], 'DE89 3704'])
        expect(maskedBody(JSON.stringify({ [member]: value }))).not.toMatch(/kim|1990|DE89/i);
    },
  );

  test.each(['{"Kim Minsu": 1}', '{"a": Kim}', '{"a": 1} Kim', '[1, Kim', '"Kim"', "{'a': 'Kim'}", '{Kim: 1}'])(
    'has none outside of its values: %s',
    body => expect(maskedBody(body)).not.toContain('Kim'),
  );

  test.each(['primaryIdentifier=Kim', '<name>Kim</name>', 'Kim'])('is replaced where it is no JSON: %s', body =>
    expect(maskedBody(body)).toBe(`*** (not JSON, ${body.length} characters)`),
  );

  test('stays empty', () => expect(maskedBody(null)).toBeNull());
});

describe('the sentences of a masked report', () => {
  const sentenceAbout = (value: string, got: string): string => {
    const exchange = { direction: 'OUT', status: 200, url: 'http://vasp.test/verify-user', request: null, error: null };
    const response = JSON.stringify({ result: 'DENIED', reason: value, message: value });
    const condition = { id: 'D2.a.result', result: 'FAILED', expected: 'VERIFIED / OK', got, exchanges: [] };
    const module = {
      id: 'D2.a',
      plan: 'deposit',
      note: null,
      skippedBecause: null,
      waiting: null,
      conditions: [condition],
    };
    const report = { modules: [{ ...module, exchanges: [{ ...exchange, response }] }], causes: [] };
    return masked(report as never).modules[0]!.conditions[0]!.got!;
  };

  test.each(['İbrahim Yılmaz', 'DİYARBAKIR', 'Straße', 'ΟΔΥΣΣΕΥΣ', '𝒦im 𠮷野'])('name nobody: %s', name => {
    for (const written of [name, name.toLowerCase(), `${name}, again`])
      expect(sentenceAbout(name, `DENIED / ${written}`)).toMatch(/^DENIED \/ \*\*\*(, again)?$/);
    expect(sentenceAbout(name, `DENIED / ${name}x`)).toBe(`DENIED / ${name}x`);
  });

  test.each(['XRP', 'XRP Ledger', 'Ripple'])('name the network that a denial names: %s', network => {
    const got = `\`network\` is ${network} instead of Ripple or XRP Ledger`;
    expect(sentenceAbout(network, got)).toBe(got);
  });

  test('name nobody where a long text is cut', () => {
    const long = `Kim Minsu of ${'a long street '.repeat(300)}`;
    expect(sentenceAbout(long, cutText(`DENIED / ${long}`))).toMatch(/^DENIED \/ \*\*\* … \(cut: \d+ more/);
  });
});

/** With what escapes stand for. */
const visible = (text: string): string =>
  text.replace(/\\+u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
