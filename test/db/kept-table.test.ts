import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { savepoint, type Tx, write } from '../../src/db/transaction.ts';
import * as faults from '../../src/fault-injection/store.ts';

const VASPS = ['1', '2'];
const act = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'use', 'remove', 'removeOf'),
  vaspId: fc.constantFrom(...VASPS),
});
const part = fc.record({ acts: fc.array(act, { maxLength: 5 }), fails: fc.boolean() });
const transaction = fc.record({ parts: fc.array(part, { maxLength: 3 }), fails: fc.boolean() });

function play(tx: Tx, { kind, vaspId }: { kind: string; vaspId: string }): void {
  const [first] = faults.allOf(tx, vaspId);
  if (kind === 'insert')
    faults.insert(tx, {
      ...{ vaspId, target: 'callback', verificationUuid: null, mode: 'drop' },
      ...{ parameters: {}, times: 2, createdAt: 1 },
    });
  else if (kind === 'removeOf') faults.removeOf(tx, vaspId);
  else if (first && kind === 'use') faults.countUse(tx, first);
  else if (first) faults.remove(tx, first);
}

function failing(run: () => void, fails: boolean): void {
  try {
    run();
    expect(fails).toBe(false);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

test('what is read from memory is what the table holds, whatever is undone', () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 6 }), transactions => {
      const db = openDb(':memory:');
      const stored = db.sqlite.prepare('SELECT id, used FROM runtime_faults WHERE vasp_id = ? ORDER BY id');
      const isSame = () => {
        for (const vaspId of VASPS)
          expect(faults.allOf(db, vaspId).map(({ id, used }) => ({ id, used }))).toEqual(stored.all(vaspId));
      };
      for (const { parts, fails } of transactions) {
        const playAll = (tx: Tx) => {
          for (const each of parts)
            failing(
              () =>
                savepoint(tx, inner => {
                  for (const one of each.acts) play(inner, one);
                  isSame();
                  if (each.fails) throw new RangeError('the part is undone');
                }),
              each.fails,
            );
          isSame();
          if (fails) throw new RangeError('all is undone');
        };
        failing(() => write(db, playAll), fails);
        isSame();
      }
      db.close();
    }),
  );
});
