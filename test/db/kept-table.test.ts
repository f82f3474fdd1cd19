import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptTable } from '../../src/db/closing.ts';
import { openDb } from '../../src/db/open.ts';
import { deleteRows, insertRow, updateRows } from '../../src/db/prepared-statements.ts';
import { faults } from '../../src/db/schema/runtime.ts';
import { savepoint, type Tx, write } from '../../src/db/transaction.ts';

const kept = keptTable(faults, 'vaspId', 'id');
const VASPS = ['1', '2'];
const act = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'use', 'remove', 'removeOf'),
  vaspId: fc.constantFrom(...VASPS),
});
const part = fc.record({ acts: fc.array(act, { maxLength: 5 }), fails: fc.boolean() });
const transaction = fc.record({ parts: fc.array(part, { maxLength: 3 }), fails: fc.boolean() });

function play(tx: Tx, { kind, vaspId }: { kind: string; vaspId: string }): void {
  const [first] = kept.of(tx, vaspId);
  const change = (run: () => unknown) => void kept.change(tx, vaspId, run);
  if (kind === 'insert')
    change(() =>
      insertRow(tx, faults, {
        ...{ vaspId, target: 'callback', verificationUuid: null, mode: 'drop' },
        ...{ parameters: {}, times: 2, createdAt: 1 },
      }),
    );
  else if (kind === 'removeOf') change(() => deleteRows(tx, faults, { vaspId }));
  else if (first && kind === 'use') change(() => updateRows(tx, faults, { id: first.id }, { used: first.used + 1 }));
  else if (first) change(() => deleteRows(tx, faults, { id: first.id }));
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
          expect(kept.of(db, vaspId).map(({ id, used }) => ({ id, used }))).toEqual(stored.all(vaspId));
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
