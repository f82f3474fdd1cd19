import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { describe, expect, test } from 'vitest';
import { newState, openDb } from '../../src/db/open.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createTestTimers, START } from '../support/timers/test-timers.ts';

const at = scratchDatabase();
const PENDING = 100_000;

/** A database that notes every statement it executes. */
function noting(name: string, pending: number) {
  const path = at(name);
  const made = openDb(path);
  const insert = made.sqlite.prepare(
    "INSERT INTO runtime_timers (kind, key, owner, lane, due_at, payload, why) VALUES ('enclave.verification.ask', ?, ?, ?, ?, '{}', '')",
  );
  made.sqlite.transaction(() => {
    for (let i = 0; i < pending; i++) insert.run(`pending ${i}`, i % 2 ? 'a' : `b${i % 10}`, `${i}`, START + 1e9 + i);
  })();
  made.close();
  const executed: string[] = [];
  const sqlite = new Sqlite(path, { verbose: text => void executed.push(String(text)) });
  return { db: { orm: drizzle(sqlite), sqlite, state: newState(), close: () => void sqlite.close() }, executed };
}

/** Statements of a day's work: timers that run, are moved, fail, are cancelled. */
async function work(name: string, pending: number) {
  const { db, executed } = noting(name, pending);
  const on = createTestTimers(db);
  await on.timers.runDue('a');
  executed.length = 0;
  let ran = 0;
  on.handle(() => {
    ran++;
    return ran % 3 === 0 ? { againAt: START + 60_000 } : {};
  });
  for (let i = 0; i < 30; i++) on.schedule(`x${i}`, { dueAt: START + (i % 5) * 1_000 });
  await on.timers.advance('a', 30_000);
  const statements = [...executed];
  const plans = planOf(db.sqlite, statements);
  await on.close();
  return { ran, statements, plans };
}

const shapeOf = (statement: string) => statement.replace(/'[^']*'/g, '?').replace(/\b\d+(\.\d+)?\b/g, '?');

function planOf(sqlite: Sqlite.Database, statements: string[]): string[] {
  const distinct = new Map(statements.map(statement => [shapeOf(statement), statement]));
  return [...distinct.values()]
    .filter(statement => /runtime_timers/.test(statement) && /^(select|update|delete)/i.test(statement))
    .flatMap(statement =>
      sqlite
        .prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .all()
        .map(row => (row as { detail: string }).detail),
    );
}

describe('cost follows what is due, never what is pending', () => {
  test(`with ${PENDING} pending timers the same work takes as many statements, and none reads the whole table`, async () => {
    const empty = await work('empty.sqlite', 0);
    const full = await work('full.sqlite', PENDING);
    expect(full.ran).toBe(empty.ran);
    expect(new Set(full.statements.map(shapeOf))).toEqual(new Set(empty.statements.map(shapeOf)));
    // Not equal: how often the loop looks depends on how completions fall together.
    expect(full.statements.length).toBeLessThan(empty.statements.length * 1.5);
    expect(full.plans.length).toBeGreaterThan(2);
    for (const plan of full.plans) expect(plan).toMatch(/^SEARCH /);
    expect(full.plans.filter(plan => /owner_due/.test(plan)).length).toBeGreaterThan(0);
  });

  test('the check can fail: a query without the index is found', () => {
    const { db } = noting('scan.sqlite', 10);
    expect(planOf(db.sqlite, ["SELECT * FROM runtime_timers WHERE why = ''"])[0]).toMatch(/^SCAN /);
    db.close();
  });
});
