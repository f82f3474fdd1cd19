import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { fillDatabase } from '../bench/fill-database.ts';
import { MIDDLE, PATHS } from '../bench/lists.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createChainlessWorld } from '../support/world/chainless-world.ts';

const at = scratchDatabase();

test('the bench fills the tables as they are now', () => {
  const path = at('filled.sqlite');
  openDb(path).close();
  writeFileSync(path.replace(/\.sqlite$/, '.data-key'), randomBytes(32).toString('base64url'));
  fillDatabase(path, { verifications: 100, vasps: 2, exchanges: 10, timers: 10 }, '1');
  const db = openDb(path);
  const count = (table: string) => db.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('robot_deposits'), count('robot_transfers')]).toEqual([10, 10]);
  db.close();
});

test('the bench of lists asks for what there is', async () => {
  const world = await createChainlessWorld(at('world.sqlite'));
  onTestFinished(() => world.close());
  const refused = [];
  // This world has no chains, and not that verification.
  for (const path of PATHS.filter(each => each !== '/readyz' && !each.includes(MIDDLE))) {
    const { status } = await fetch(world.url + path);
    if (status !== 200) refused.push([path, status]);
  }
  expect(refused).toEqual([]);
});
