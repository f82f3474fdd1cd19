import { expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import type { RunReport } from '../../src/contract/plans.ts';
import type { DriverOutcome } from '../../src/plans/driver.ts';
import { junit } from '../../src/plans/report/junit.ts';
import { type JudgedBy, reportOf } from '../../src/plans/report-of.ts';
import { balanceOf } from '../../src/plans/steps/balances.ts';
import { RunStopped } from '../../src/plans/stop.ts';
import type { ModuleRow, RunRow } from '../../src/plans/store.ts';
import { joinSandbox, REFERENCE_NAME } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';
import { planSandbox } from '../support/plans/run-plan.ts';
import { singleModule } from '../support/plans/single-module.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox());

/** A person does what W1 awaits, and stops the run while W2.a waits. */
async function stoppedRun(): Promise<string> {
  const { id } = await robot.api.startRun({ symbols: ['ETH'], modules: ['W1', 'W2.a', 'W2.b'] });
  const isWaiting = async (position: number) => (await robot.api.run(id)).modules[position]?.status === 'WAITING';
  await until(() => isWaiting(0));
  await robot.api.vasps();
  await until(() => isWaiting(1));
  await robot.api.stopRun(id);
  return id;
}

const fileOf = async <T>(id: string, form: string): Promise<T> =>
  (await robot.api.call<T>('GET', `/sandbox/v1/runs/${id}/report.${form}`)).body;

test('no file of a stopped run is green', async () => {
  const id = await stoppedRun();
  const report = await fileOf<RunReport>(id, 'json');
  expect(report).toMatchObject({ result: 'INTERRUPTED', stopped: true, counts: { failed: 0 } });
  expect(report.modules.map(({ status, result }) => [status, result])).toEqual([
    ['FINISHED', report.modules[0]?.result],
    ['INTERRUPTED', 'INTERRUPTED'],
    ['INTERRUPTED', 'INTERRUPTED'],
  ]);
  const xml = await fileOf<string>(id, 'xml');
  const open = report.modules.slice(1).flatMap(({ conditions }) => conditions).length;
  expect(xml.match(/<error type="INTERRUPTED"/g)).toHaveLength(open + 1);
  expect(xml).toMatch(new RegExp(`<testsuites [^>]*failures="0" errors="${open + 1}" skipped="0"`));
  expect(xml.match(/<testcase /g)).toHaveLength(Number(/tests="(\d+)"/.exec(xml)?.[1]));
  expect(await fileOf<string>(id, 'md')).toMatch(/^# INTERRUPTED: .*## Interrupted\n\n- W2.a ETH: The run was/s);
  expect(await fileOf<string>(id, 'html')).toContain('<span class="badge INTERRUPTED">INTERRUPTED</span>');
  expect((await robot.api.runs()).runs[0]).toMatchObject({ id, result: 'INTERRUPTED' });
});

test('a run that was stopped after its last module is not green either', async () => {
  const conditions = [{ id: 'D3.once', result: 'PASSED' }];
  const passed = { id: 'D3', plan: 'deposit', status: 'FINISHED', result: 'PASSED', conditions, exchanges: [] };
  const rows = [{ report: passed }] as unknown as ModuleRow[];
  const run = { settings: { plan: 'complete' }, startedAt: 0, endedAt: 1, isStopped: true } as RunRow;
  const judgedBy: JudgedBy = { tool: 'robot-vasp', vasp: { vaspId: '1', name: 'A VASP' }, chains: [] };
  const report = reportOf(run, rows, judgedBy);
  expect([report.result, junit(report)]).toEqual(['INTERRUPTED', expect.stringContaining('errors="1"')]);
  expect(reportOf({ ...run, isStopped: false }, rows, judgedBy).result).toBe('PASSED');
});

test('a run that is stopped while its driver answers blames no VASP', async () => {
  const stop = new AbortController();
  const act = async (): Promise<DriverOutcome> => {
    stop.abort(new RunStopped());
    return { kind: 'failed', why: 'could not be reached (RunStopped)' };
  };
  const api = { transfers: async () => ({ transfers: [] }) };
  const world = { driver: { act }, api, waitMs: 1_000, signal: stop.signal, ledgers: new Map() };
  const { ctx, conditions } = singleModule('D3', ['credited'], world);
  await expect(balanceOf(ctx, 'credited', CUSTOMERS.customers[0]!)).rejects.toThrow(RunStopped);
  expect(conditions[0]!.result).toBe('SKIPPED');
});

/** Its calls get no answer before `end` is opened. */
const asksNothingUntil = (end: Promise<void>): Boundary => ({
  asking: next => async request => {
    if (!request.url.includes('/v1/verifications')) return next(request);
    await end;
    return Response.json({}, { status: 503 });
  },
});
const isHeld = async (symbol: string) => (await robot.api.health()).chains.find(each => each.symbol === symbol)?.held;

test.each(ASSET_SYMBOLS)('a run that ends while it holds the ledger of %s releases it', async symbol => {
  const vaspId = `2737203973195${symbol === 'ETH' ? 1 : 2}`;
  const path = `/sandbox/v1/vasps/${vaspId}`;
  const { apiKey } = (await robot.api.call<{ apiKey: string }>('PUT', path, { name: REFERENCE_NAME })).body;
  const end = gate();
  const vasp = await joinSandbox({ url: robot.url, apiKey, boundary: asksNothingUntil(end.opened) });
  const api = client(robot.url, { apiKey });
  const settings = { symbols: [symbol], modules: ['W4.6'], unattended: true, wait: '60s' };
  for (const leave of [api.stopRun, api.reset]) {
    const { id } = await api.startRun(settings);
    let report: RunReport | undefined;
    await until(async () => {
      report = await api.run(id);
      return report.endedAt !== null || (await isHeld(symbol)) === true;
    });
    expect(report).toMatchObject({ endedAt: null });
    await leave(id);
    await until(async () => (await isHeld(symbol)) === false);
  }
  end.open();
  await vasp.stop();
});
