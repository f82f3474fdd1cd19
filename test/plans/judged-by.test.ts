import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { runModules } from '../../src/db/schema/plans.ts';
import { createRobot } from '../../src/testing.ts';
import { runAgainst } from '../support/plans/run-plan.ts';

const SETTINGS = { modules: ['W1'], symbols: ['ETH'], wait: '100ms' };

test('the report of a run that has ended says by what it was judged, also after another start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-judged-by-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'robot.sqlite');
  const start = (env: Record<string, string> = {}) => createRobot({ env: { DATABASE_PATH: path, ...env } });
  const first = await start();
  const report = await runAgainst(first.api, SETTINGS);
  const listed = await first.api.runs();
  expect(report.chains).toEqual([expect.objectContaining({ embedded: true, id: 31_337, finality: '1 confirmation' })]);
  expect(listed.runs).toEqual([expect.objectContaining({ id: report.id, counts: report.counts, vasp: report.vasp })]);
  await first.close();
  const second = await start({ VASP_NAME: 'Another name', ETH_CONFIRMATIONS: '7' });
  onTestFinished(() => second.close());
  expect(await second.api.run(report.id)).toEqual(report);
  expect(await second.api.runs()).toEqual(listed);
  await second.close();
  const db = openDb(path);
  db.orm.delete(runModules).run();
  db.sqlite.close();
  const third = await start();
  onTestFinished(() => third.close());
  // A list of many runs would read megabytes of evidence.
  expect(await third.api.runs()).toEqual(listed);
});
