import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { planSandbox, runPlan } from '../support/plans/run-plan.ts';

/** Every call fails slowly. Only the driver endpoint answers. */

const serving = (answer: (path: string) => Promise<unknown>): Boundary => ({
  serving: next => async request => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/driver') await answer(pathname);
    return next(request);
  },
});
const SILENT = {
  late: serving(path => delay(path === '/verify-user' ? 7_500 : 2_500)),
  never: serving(() => new Promise(() => {})),
};
const MAX_MS = 90_000;

test.concurrent.each(Object.entries(SILENT))(
  'the complete plan against a VASP that answers %s ends soon, and names the cause',
  async (_, boundary) => {
    await using robot = await planSandbox();
    const startedAt = performance.now();
    const report = await runPlan(robot, { wait: '10s', inquiryWait: '60s' }, { boundary });
    expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
    expect(report.result).toBe('FAILED');
    const causes = report.causes.map(({ title }) => title);
    expect(causes).toContain('Callbacks are answered too late');
    expect(causes).toContain('Calls of verifyUser are answered too late');
  },
  150_000,
);
