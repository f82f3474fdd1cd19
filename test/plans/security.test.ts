import { afterAll, expect, test } from 'vitest';
import { moduleOf } from '../../src/plans/catalogue.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { singleModule } from '../support/plans/single-module.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The quick modules against the correct VASP: what the engine itself promises. */

const world = await forFile(createWorld({ endpoints: [] }));
const vasp = await joinSandbox({ url: world.url });
afterAll(() => vasp.stop());

async function ended(id: string) {
  for await (const { event, data } of world.api.events({ kind: 'run', after: '0' })) {
    const { event: what, detail } = data as { event: string; detail?: { runId?: string } };
    if (event === 'run' && what === 'ended' && detail?.runId === id) return world.api.run(id);
  }
  throw new Error('the events ended before the run');
}

test('the correct VASP passes, and the report counts its conditions', async () => {
  const modules = ['S1', 'S2', 'S3', 'S4', 'S5'];
  const { id } = await world.api.startRun({ plan: 'security', unattended: true, modules });
  const report = await ended(id);
  expect(report.modules.map(module => [module.id, module.status, module.result])).toEqual([
    ['S1', 'FINISHED', 'PASSED'],
    ['S2', 'FINISHED', 'PASSED'],
    ['S3', 'FINISHED', 'PASSED'],
    ['S4', 'FINISHED', 'PASSED'],
    ['S5', 'FINISHED', 'PASSED'],
  ]);
  expect(report).toMatchObject({ version: 1, plan: 'security', result: 'PASSED', stopped: false });
  const conditions = report.modules.flatMap(module => module.conditions);
  expect(report.counts).toMatchObject({ passed: conditions.length, failed: 0, skipped: 0 });
  expect((await world.api.runs()).runs[0]).toMatchObject({ id, result: 'PASSED' });
});

test('a module for another symbol is skipped and says why', async () => {
  const { id } = await world.api.startRun({ plan: 'withdrawal', modules: ['W2.h'], symbols: ['ETH'] });
  const [module] = (await ended(id)).modules;
  expect(module).toMatchObject({ id: 'W2.h', result: 'SKIPPED' });
  expect(module?.skippedBecause).toContain('XRP');
});

test('one VASP has one run at a time, and a run can be stopped', async () => {
  const request = { plan: 'deposit', modules: ['D4'], customers: vasp.customers } as const;
  const { id } = await world.api.startRun({ ...request, modules: [...request.modules] });
  await expect(world.api.startRun({ plan: 'security' })).rejects.toThrow(`run ${id} is under way`);
  await world.api.stopRun(id);
  const report = await world.api.run(id);
  expect(report).toMatchObject({ stopped: true });
  expect(report.modules.at(-1)).toMatchObject({ skippedBecause: 'The run was stopped.' });
});

test.each([
  ['http://127.0.0.1:8080', 'PASSED'],
  ['http://vasp:8080', 'PASSED'],
  ['http://[::1]:8080', 'PASSED'],
  ['http://[fd00::5]/', 'PASSED'],
  ['http://[2001:db8::5]/', 'WARNING'],
  ['http://vasp.example', 'WARNING'],
  ['https://vasp.example', 'PASSED'],
])('S4: an endpoint at %s: %s', async (url, result) => {
  const { ctx, report } = singleModule('S4', ['https'], { target: { url: () => url } }, { severity: 'WARNING' });
  await moduleOf('S4')!.run(ctx);
  expect(report.conditions[0]!.result).toBe(result);
});
