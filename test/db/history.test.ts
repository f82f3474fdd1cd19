import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asCaller, type Scoped } from '../../src/contract/tenancy.ts';
import {
  attributeHistory,
  historyAfter,
  historyOf,
  newestHistory,
  record,
  recordOnce,
  unguardedHistoryOf,
} from '../../src/db/history.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import { savepoint, type Tx, write } from '../../src/db/transaction.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { verification } from '../support/db/verification.ts';

const UUIDS = ['a', 'b'] as const;

interface Line {
  uuid: string | null;
  rowKey: string;
  cause: string;
}
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('record'), uuid: fc.constantFrom(...UUIDS, null) }) },
  fc.record({ kind: fc.constant('once'), uuid: fc.constantFrom(...UUIDS) }),
  fc.record({ kind: fc.constant('attribute'), uuid: fc.constantFrom(...UUIDS) }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;
const part = fc.record({ acts: fc.array(act, { maxLength: 6 }), fails: fc.boolean() });
const transaction = fc.record({ parts: fc.array(part, { maxLength: 3 }), fails: fc.boolean() });

const entry = (uuid: string | null, rowKey: string, cause: string) => ({
  machine: 'deposit' as const,
  rowKey,
  verificationUuid: uuid,
  from: null,
  event: cause === 'once' ? 'once' : 'seen',
  to: null,
  at: 1,
  cause,
});

/** Plays one act on the database and on a plain list. */
function play(tx: Tx, lines: Line[], { kind, uuid }: Act, cause: string): Line[] {
  if (kind === 'once') {
    const isThere = lines.some(line => line.uuid === uuid && line.cause === 'once');
    expect(recordOnce(tx, { ...entry(uuid, 'k', 'once'), verificationUuid: uuid! })).toBe(!isThere);
    return isThere ? lines : [...lines, { uuid, rowKey: 'k', cause: 'once' }];
  }
  if (kind === 'attribute') {
    attributeHistory(tx, { machine: 'deposit', rowKey: 'k' }, uuid!, -1);
    return lines.map(line => (line.uuid === null ? { ...line, uuid } : line));
  }
  record(tx, entry(uuid, 'k', cause));
  return [...lines, { uuid, rowKey: 'k', cause }];
}

const attempt = <T>(run: () => T, otherwise: T): T => {
  try {
    return run();
  } catch {
    return otherwise;
  }
};

function opened(): Db {
  const db = openDb(':memory:');
  write(db, tx => {
    for (const uuid of UUIDS) verifications.insert(tx, verification(uuid));
  });
  return db;
}

/** All lines as pages of a stream show them. */
function streamed(db: Db): string[] {
  const found: string[] = [];
  for (let after = 0; ; ) {
    const query = { after, vaspId: asCaller('1'), seesUnclaimed: true, own: ['1'], limit: 2 };
    const { lines, next } = historyAfter(db, query);
    found.push(...lines.map(({ cause }) => cause));
    if (next === null) return found;
    after = next;
  }
}

test('the history is that of a plain list, whatever is undone, repeated and attributed', () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 6 }), transactions => {
      const db = opened();
      let lines: Line[] = [];
      let made = 0;
      for (const { parts, fails } of transactions) {
        const before = newestHistory(db);
        const playPart = (tx: Tx, stood: Line[], { acts, fails }: (typeof parts)[number]): Line[] =>
          attempt(
            () =>
              savepoint(tx, inner => {
                const played = acts.reduce((all, each) => play(inner, all, each, `${made++}`), stood);
                if (fails) throw new Error('the part is undone');
                return played;
              }),
            stood,
          );
        lines = attempt(
          () =>
            write(db, tx => {
              const played = parts.reduce((all, each) => playPart(tx, all, each), lines);
              if (fails) throw new Error('all is undone');
              return played;
            }),
          lines,
        );
        expect(newestHistory(db)).toBeGreaterThanOrEqual(before);
      }
      for (const uuid of UUIDS) {
        const causes = lines.filter(line => line.uuid === uuid).map(({ cause }) => cause);
        const stored = unguardedHistoryOf(db, uuid);
        expect(stored.map(({ cause }) => cause).sort()).toEqual(causes.sort());
        expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort((one, other) => one - other));
        expect(stored.every(({ id }) => id <= newestHistory(db))).toBe(true);
        const page = { vaspIds: [], before: Number.MAX_SAFE_INTEGER, limit: 3 };
        expect(historyOf(db, uuid as Scoped<string>, page)).toEqual(stored.toReversed().slice(0, 3));
      }
      expect(streamed(db).sort()).toEqual(lines.map(({ cause }) => cause).sort());
      db.close();
    }),
    { numRuns: 150 },
  );
});

test('the lines of one commit about one verification are one row, in order, however many', () => {
  const db = opened();
  write(db, tx => {
    for (let n = 0; n < 300; n++) for (const uuid of UUIDS) record(tx, entry(uuid, 'k', String(n)));
  });
  expect(db.sqlite.prepare('SELECT count(*) FROM runtime_history').pluck().get()).toBe(4);
  for (const uuid of UUIDS)
    expect(unguardedHistoryOf(db, uuid).map(({ cause }) => cause)).toEqual(
      Array.from({ length: 300 }, (_, n) => String(n)),
    );
  db.close();
});

test('only lines of a row after the position are moved', () => {
  const db = openDb(':memory:');
  const seen = (cause: string) => write(db, tx => record(tx, entry(null, '7', cause)));
  seen('before');
  const after = newestHistory(db);
  seen('behind');
  write(db, tx => attributeHistory(tx, { machine: 'deposit', rowKey: '7' }, 'a', after));
  expect(unguardedHistoryOf(db, 'a').map(({ cause }) => cause)).toEqual(['behind']);
});
