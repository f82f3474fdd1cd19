import { beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/open.ts';
import { clocks } from '../../src/db/schema/runtime.ts';
import { afterCommit, savepoint, type Tx, write } from '../../src/db/transaction.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();
let db: Db;
let opened = 0;
beforeEach(() => {
  db = openDb(at(`${opened++}.sqlite`));
  return () => db.close();
});

const add = (tx: Tx, owner: string) => void tx.orm.insert(clocks).values({ owner, offsetMs: 1 }).run();
const owners = (of: Db = db) =>
  of.orm
    .select()
    .from(clocks)
    .all()
    .map(row => row.owner)
    .sort();

describe('write: one synchronous transaction', () => {
  test('commits everything, and answers what the change answers', () => {
    expect(
      write(db, tx => {
        add(tx, 'a');
        add(tx, 'b');
        return 7;
      }),
    ).toBe(7);
    expect(owners()).toEqual(['a', 'b']);
  });

  test('undoes everything when the change throws, and the database can be written again', () => {
    const failing = () =>
      write(db, tx => {
        add(tx, 'a');
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(owners()).toEqual([]);
    expect(db.sqlite.inTransaction).toBe(false);
    write(db, tx => add(tx, 'b'));
    expect(owners()).toEqual(['b']);
  });

  test('undoes everything when SQLite itself refuses', () => {
    const twice = () =>
      write(db, tx => {
        add(tx, 'a');
        add(tx, 'a');
      });
    expect(twice).toThrow(/UNIQUE/);
    expect(owners()).toEqual([]);
  });

  test('joins the transaction around it: what fails there undoes what was written inside', () => {
    const failing = () =>
      write(db, tx => {
        add(tx, 'outer');
        write(db, inner => add(inner, 'inner'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(owners()).toEqual([]);
  });

  test('is seen by another connection only once it is committed', () => {
    const other = openDb(at('shared.sqlite'));
    const mine = openDb(at('shared.sqlite'));
    write(mine, tx => {
      add(tx, 'a');
      expect(owners(other)).toEqual([]);
    });
    expect(owners(other)).toEqual(['a']);
    other.close();
    mine.close();
  });

  test('an async change does not compile', () => {
    type Change = Parameters<typeof write<Promise<void>>>[1];
    // @ts-expect-error a promise is no result of a synchronous transaction
    const asynchronous: Change = async () => {};
    expect(asynchronous).toBeDefined();
    const never = () => {
      // @ts-expect-error neither written in place
      write(db, async tx => add(tx, 'a'));
      // @ts-expect-error nor sometimes
      write(db, tx => (db.sqlite.open ? Promise.resolve(add(tx, 'a')) : undefined));
      // @ts-expect-error a database outside `write` is no transaction
      add(db, 'a');
    };
    expect(never).toBeDefined();
    expect(write(db, () => 'text')).toBe('text');
  });
});

describe('afterCommit', () => {
  test('runs the hooks in order when the rows can be read', () => {
    const ran: string[] = [];
    write(db, tx => {
      afterCommit(tx, () => ran.push(`first sees ${owners()}`));
      add(tx, 'a');
      write(db, inner => afterCommit(inner, () => ran.push('of the inner one')));
      afterCommit(tx, () => ran.push('last'));
      expect(ran).toEqual([]);
    });
    expect(ran).toEqual(['first sees a', 'of the inner one', 'last']);
  });

  test('runs nothing when the transaction was undone, and nothing later either', () => {
    const ran: string[] = [];
    const failing = () =>
      write(db, tx => {
        afterCommit(tx, () => ran.push('undone'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    write(db, tx => add(tx, 'b'));
    expect(ran).toEqual([]);
  });

  test('runs nothing of a part that was undone', () => {
    const ran: string[] = [];
    write(db, tx => {
      afterCommit(tx, () => ran.push('before'));
      const failing = () =>
        savepoint(tx, part => {
          afterCommit(part, () => ran.push('undone'));
          throw new Error('no');
        });
      expect(failing).toThrow('no');
      afterCommit(tx, () => ran.push('after'));
    });
    expect(ran).toEqual(['before', 'after']);
  });

  test('may write again', () => {
    write(db, tx => {
      add(tx, 'a');
      afterCommit(tx, () => write(db, later => add(later, 'b')));
    });
    expect(owners()).toEqual(['a', 'b']);
  });
});

describe('savepoint: a part that fails alone', () => {
  const failAfter = (tx: Tx, owner: string) => () =>
    savepoint(tx, part => {
      add(part, owner);
      throw new Error('no');
    });

  test('undoes its own changes; the rest of the transaction stands', () => {
    write(db, tx => {
      add(tx, 'before');
      expect(failAfter(tx, 'failed')).toThrow('no');
      savepoint(tx, part => add(part, 'good'));
      add(tx, 'after');
    });
    expect(owners()).toEqual(['after', 'before', 'good']);
  });

  test('a part inside a part fails alone too', () => {
    write(db, tx => {
      savepoint(tx, part => {
        add(part, 'outer');
        expect(failAfter(part, 'inner')).toThrow('no');
      });
    });
    expect(owners()).toEqual(['outer']);
  });
});
