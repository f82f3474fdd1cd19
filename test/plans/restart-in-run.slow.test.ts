import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { client } from '../../src/client/client.ts';
import type { Callback } from '../../src/contract/callbacks.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { serve } from '../../src/main.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { ACCOUNT, USER } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { freePort } from '../support/process/program.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';

/** It begins a withdrawal when the one before it has its result. */
function oneAtATime(): Boundary {
  const results = new Map<string, ReturnType<typeof gate>>();
  const resultOf = (uuid: string) => results.get(uuid) ?? results.set(uuid, gate()).get(uuid)!;
  let last: Promise<unknown> = Promise.resolve();
  return {
    asking: next => async request => {
      const { pathname } = new URL(request.url);
      if (pathname === ACCOUNT) await last;
      const answer = await next(request);
      if (pathname !== USER) return answer;
      const { verificationUuid } = (await answer.clone().json()) as { verificationUuid: string };
      last = resultOf(verificationUuid).opened;
      return answer;
    },
    serving: next => async request => {
      const { callbackType, data } = (await request
        .clone()
        .json()
        .catch(() => ({}))) as Partial<Callback>;
      if (callbackType === 'VERIFICATION_RESULT') resultOf(data!.verificationUuid).open();
      return next(request);
    },
  };
}

test('REF-4.6.2: a VASP that waits for a result that a stopped run has held back passes the next run', async () => {
  await using robot = await planSandbox(PATIENT);
  const vasp = await joinSandbox({ url: robot.url, boundary: oneAtATime() });
  onTestFinished(() => vasp.stop());
  const { id } = await robot.api.startRun({
    symbols: ['XRP'],
    modules: ['W3.z', 'W4.1'],
    unattended: true,
    wait: '10s',
  });
  await until(async () => (await robot.api.run(id)).modules[1]?.status === 'WAITING');
  await robot.api.stopRun(id);
  const report = await runAgainst(robot.api, { symbols: ['XRP'], modules: ['W4.1'], wait: '10s' });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
}, 120_000);

test('REF-4.6.2: a VASP that waits for a result that the run holds back gets it, also after a restart of the program', async () => {
  const env = { ...PATIENT, XRPL_CLOSE_INTERVAL: '50ms', LOG_LEVEL: 'silent', PORT: String(await freePort()) };
  const config = loadConfig({ ...env, DATABASE_PATH: scratchDatabase()('restart.sqlite') });
  let running = await serve(config, { log: silentLog });
  onTestFinished(() => running.stop());
  await running.ready();
  const vasp = await joinSandbox({ url: running.url, boundary: oneAtATime() });
  onTestFinished(() => vasp.stop());
  const api = client(running.url);
  const { id } = await api.startRun({ symbols: ['XRP'], modules: ['W3.z', 'W4.1'], unattended: true, wait: '10s' });
  await until(async () => (await api.run(id)).modules[1]?.status === 'WAITING');
  await running.stop();
  running = await serve(config, { log: silentLog });
  await until(async () => (await api.run(id).catch(() => undefined))?.endedAt != null, 60_000);
  const report = await api.run(id);
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
}, 120_000);
