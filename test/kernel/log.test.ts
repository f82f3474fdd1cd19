import { describe, expect, test } from 'vitest';
import { createLog, type Log } from '../../src/kernel/log.ts';

const PERSON = {
  naturalPerson: {
    name: {
      nameIdentifier: [
        { primaryIdentifier: 'Robbins-secret', secondaryIdentifier: 'Taylor-secret', nameIdentifierType: 'LEGL' },
      ],
    },
    dateAndPlaceOfBirth: { dateOfBirth: '1990-secret', placeOfBirth: 'Riga-secret' },
    nationalIdentification: { nationalIdentifier: '123-secret' },
    customerIdentification: 'c-secret',
  },
};
const IVMS101 = {
  originator: { originatorPersons: [PERSON], accountNumber: ['0xsecret'] },
  beneficiary: { beneficiaryPersons: [PERSON] },
};

/** Whatever holds it, nothing with `secret` in it may come out. */
const HOLDERS: Record<string, object> = {
  token: { token: 'secret' },
  'authorization in headers': { headers: { Authorization: 'Bearer secret', 'X-Key': 'secret' } },
  apiKey: { apiKey: 'secret' },
  seed: { seed: 'secret', XRPL_SEED: 'secret' },
  mnemonic: { mnemonic: 'secret', ROBOT_MNEMONIC: 'secret' },
  'private key': { privateKey: 'secret' },
  name: { name: 'Taylor secret', vaspName: 'secret' },
  'a person': PERSON,
  ivms101: { ivms101: IVMS101 },
  'ivms101 as text': { ivms101Originator: JSON.stringify(IVMS101.originator) },
  'what stands in ivms101': IVMS101,
  payload: { payload: { version: '1.0', ivms101: IVMS101 } },
  body: { body: 'any secret text' },
};

function logged(write: (log: Log) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: line => void lines.push(line) }));
  expect(lines.length).toBeGreaterThan(0);
  return lines.join('');
}

describe.each(Object.entries(HOLDERS))('%s never comes out', (_, holder) => {
  test('as a field', () => {
    const line = logged(log => log.info({ uuid: 'kept', ...holder }, 'text'));
    expect(line).not.toContain('secret');
    expect(line).toContain('"uuid":"kept"');
    expect(line).toContain('"msg":"text"');
  });

  test('at any depth', () => {
    for (let depth = 1, fields: object = holder; depth <= 12; depth++) {
      fields = depth % 2 === 0 ? { inside: fields } : { list: [fields] };
      const nested = fields;
      expect(
        logged(log => log.warn(nested, 'text')),
        `depth ${depth}`,
      ).not.toContain('secret');
    }
  });

  test('as a binding of a child, or of its child', () => {
    expect(logged(log => log.child(holder).info({}, 'text'))).not.toContain('secret');
    expect(logged(log => log.child({ a: 1 }).child({ deep: holder }).error({}, 'text'))).not.toContain('secret');
  });

  test('on an error', () => {
    const error = Object.assign(new TypeError('said'), { ...holder, name: 'TypeError' }, { config: { deep: holder } });
    const line = logged(log => log.error({ err: error, nested: { error } }, 'text'));
    expect(line).not.toContain('secret');
    expect(line).toContain('"type":"TypeError","message":"said"');
  });
});

test('fields that say nothing of a person come out unchanged', () => {
  const fields = { kind: 'robot.deposit.inquire', key: 'u 1', attempts: 2, chain: 'ETH', ok: true, none: null };
  expect(JSON.parse(logged(log => log.info(fields, 'text')))).toMatchObject(fields);
});

test('lines below the level are not written', () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: line => void lines.push(line) });
  log.debug({}, 'one');
  log.info({}, 'two');
  log.warn({}, 'three');
  log.error({}, 'four');
  expect(lines.map(line => JSON.parse(line).msg)).toEqual(['three', 'four']);
});

test('D-51: a text of others has no control characters, and at most 2,000 characters', () => {
  const foreign = `\u001b]0;title\u0007\u009b31m\u202e one\ntwo ${'x'.repeat(60_000)}`;
  const line = logged(log => log.child({ from: foreign }).error({ err: new Error(foreign), foreign }, 'text'));
  expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const shown = '⟨U+001B⟩]0;title⟨U+0007⟩⟨U+009B⟩31m⟨U+202E⟩ one\ntwo xxx';
  const { from, foreign: field, err } = JSON.parse(line);
  for (const text of [from, field, err.message]) {
    expect(text.startsWith(shown)).toBe(true);
    expect(text).toMatch(/… \(cut: 58\d\d\d more characters\)$/);
  }
  expect(line.length).toBeLessThan(10_000);
});
