import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { and, desc, eq, or } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { searchEntries, searchTexts, verifications } from '../../src/db/schema/enclave.ts';
import { write } from '../../src/db/transaction.ts';
import { candidateStore } from '../../src/enclave/verification/lists/search/candidates/store.ts';
import { fillPart } from '../../src/enclave/verification/lists/search/index/fill.ts';
import { searchIndexStore } from '../../src/enclave/verification/lists/search/index/store.ts';
import { isFound } from '../../src/enclave/verification/lists/search/store.ts';
import { type NewVerification, verificationStore } from '../../src/enclave/verification/store.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();
const ROBOT = '5';
const CALLERS = ['1', '9'];

const NAMES = ['Barnes', 'O’Hara_%', '지우', '김', 'Ng "x"', 'Zyxmark', 'Änne', 'İpek', 'line\\n'];
const RESULTS = ['VERIFIED', 'VERIFIED', 'DENIED', 'OPEN', 'ERROR'] as const;
const WORDS = [
  ...['barnes', 'ARNE', '지우', '김', '"x', '_%', 'o’hara_%', 'änne', 'Änne', 'İpek', '\\n', 'zyxmark'],
  ...[
    'nobody',
    'primaryIdentifier',
    '0x',
    '0xab',
    'ab12',
    'a',
    'A',
    '김',
    'İ',
    'ä',
    '지',
    'c',
    'zy',
    '"',
    '_',
    'zq',
    '00',
    '0.5',
    '10.5',
    '5',
    'denied',
    'Verified',
  ],
  ...['open', 'NOT-allowed', 'ok', 'rTAGGED', ':12', '1970-01-01', '1970-01-02', '4000-8000', '-', 'ff00'],
];

function row(n: number): NewVerification {
  const hex = (n * 2_654_435_761 + 0xab12).toString(16).padStart(8, '0');
  const name = (i: number) => ({ primaryIdentifier: NAMES[i % NAMES.length]!, nameIdentifierType: 'LEGL' });
  const person = (i: number) => ({ naturalPerson: { name: { nameIdentifier: [name(i)] } } });
  const status = RESULTS[n % RESULTS.length]!;
  return {
    uuid: `${hex.slice(0, 8)}-0000-4000-8000-${String(n).padStart(12, '0')}`,
    status,
    reason: status === 'OPEN' ? null : status === 'VERIFIED' ? 'OK' : n % 2 ? 'NOT-ALLOWED' : 'Own-Reason',
    keyType: 'PerVasp',
    requiredBeneficiaryInfo: '',
    symbol: 'ETH',
    amount: ['0.5', '10.5', '1'][n % 3]!,
    isExceedingThreshold: false,
    tradePrice: '1',
    tradeCurrency: 'KRW',
    tradeISODatetime: '',
    txHash: n % 4 ? null : `0xFF00${hex.padEnd(60, 'c')}`,
    originatingVaspId: n % 7 === 0 ? ROBOT : CALLERS[n % 2]!,
    originatorAccountNumber: `0xAB${hex}`,
    originatorAccountKey: `0xab${hex}`,
    beneficiaryVaspId: n % 7 === 0 ? CALLERS[n % 2]! : n % 5 ? ROBOT : CALLERS[(n + 1) % 2]!,
    beneficiaryAccountNumber: n % 3 ? '0xBEEF' : 'rTagged:12',
    beneficiaryAccountKey: n % 3 ? '0xbeef' : 'rTagged:12',
    payloadVersion: '1',
    ivms101Originator: { originatorPersons: [person(n)], accountNumber: [`0xAB${hex}`] } as never,
    originatingVaspName: 'a',
    ivms101Beneficiary: { beneficiaryPersons: [person(n + 1), person(n * 3)], accountNumber: [''] } as never,
    beneficiaryVaspName: 'b',
    // Not in the order of the ids.
    createdAt: 86_400_000 - 50 + ((n * 7) % 100),
  };
}

test('a search by the index finds what a look at every row finds', async () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = verificationStore(db);
  const index = searchIndexStore(db);
  const fill = () => {
    while (!fillPart({ db, residentVaspId: ROBOT }, index));
  };
  const { id, uuid, createdAt, originatingVaspId, beneficiaryVaspId } = verifications;
  const pairs = WORDS.map((text, i) => [text, WORDS[(i * 5 + 3) % WORDS.length]!]);
  const searches = [...WORDS.map(text => [text]), ...pairs.filter((_, i) => i % 4 === 0)];

  async function compare(stage: string) {
    for (const caller of CALLERS)
      for (const texts of searches) {
        const words = texts.map(text => ({ text, accounts: text === 'barnes' ? ['rTagged:12'] : [] }));
        const wanted = db.orm
          .select({ id, uuid })
          .from(verifications)
          .where(and(or(eq(originatingVaspId, caller), eq(beneficiaryVaspId, caller)), ...words.map(isFound)))
          .orderBy(desc(createdAt), desc(id))
          .all();
        const { rows } = await store.newest({ words, limit: 999 }, caller);
        expect([stage, texts, rows.map(each => each.uuid)]).toEqual([
          stage,
          texts,
          wanted.map(each => each.uuid),
        ]);
        for (const fewTexts of [1, 100_000]) {
          const found = candidateStore(db, fewTexts).of({ words }, caller);
          const missed = found && wanted.filter(each => !found.includes(each.id));
          expect([stage, texts, fewTexts, missed ?? []]).toEqual([stage, texts, fewTexts, []]);
        }
      }
  }

  write(db, tx => {
    for (let n = 1; n <= 90; n++) store.insert(tx, row(n));
  });
  await compare('without entries');
  fill();
  expect(index.isComplete()).toBe(true);
  await compare('with entries');
  write(db, tx => {
    for (let n = 1; n <= 40; n++) store.patch(tx, n, { txHash: `0xff00ab12${String(n).padStart(56, '0')}` });
    for (let n = 91; n <= 120; n++) store.insert(tx, row(n));
  });
  await compare('with changes behind the entries');
  fill();
  await compare('with all entries again');
  write(db, tx => store.removeOf(tx, CALLERS[0]!));
  await compare('after a VASP has gone');
});

test('a frequent name is not looked up, and long lists are counted by what is outside of their days', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = verificationStore(db);
  write(db, tx => {
    for (let n = 0; n < 2_100; n++) store.insert(tx, { ...row(5), uuid: String(n) });
    for (let n = 0; n < 3; n++)
      store.insert(tx, { ...row(5), uuid: `later ${n}`, createdAt: 200_000_000 + n });
  });
  const index = searchIndexStore(db);
  while (!fillPart({ db, residentVaspId: ROBOT }, index));
  const words = (text: string) => ({ words: [{ text, accounts: [] }] });
  expect(candidateStore(db).of(words('zyx'), '9')).toBeUndefined();
  expect(candidateStore(db).of(words('nobody'), '9')).toEqual([]);
  const countOf = (fromDate: string, toDate?: string) =>
    store.page({ fromDate, toDate, page: 1, rpp: 1 }, '9').count;
  expect(countOf('1970-01-01', '1970-01-02')).toBe(2_100);
  expect(countOf('1970-01-03')).toBe(3);
  expect(countOf('1970-01-01', '1970-01-03')).toBe(2_103);
});

test('no file keeps a byte of a removed verification', () => {
  const path = at('traces.sqlite');
  const db = openDb(path);
  const store = verificationStore(db);
  const fileHolds = (text: string) =>
    readdirSync(dirname(path)).some(name => readFileSync(join(dirname(path), name)).includes(text));
  write(db, tx => {
    for (let n = 1; n <= 300; n++) store.insert(tx, row(n));
  });
  const index = searchIndexStore(db);
  while (!fillPart({ db, residentVaspId: ROBOT }, index));
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  expect(fileHolds('zyxmark')).toBe(true);
  for (const caller of [...CALLERS, ROBOT]) write(db, tx => store.removeOf(tx, caller));
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
  expect(db.orm.select().from(searchEntries).all()).toEqual([]);
  expect(db.orm.select().from(searchTexts).all()).toEqual([]);
  // Its trigrams: a token of FTS5 begins with the letter of its index.
  for (const text of ['zyxmark', 'Zyxmark', '0zyx', '0xmar'])
    expect([text, fileHolds(text)]).toEqual([text, false]);
  db.sqlite.exec("INSERT INTO enclave_search (enclave_search) VALUES ('integrity-check')");
  db.close();
});
