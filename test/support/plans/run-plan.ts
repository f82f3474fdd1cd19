import type { RunReport } from '../../../src/contract/plans.ts';
import { joinSandbox } from '../../../src/reference-vasp/join.ts';
import type { Boundary } from '../../../src/reference-vasp/vasp.ts';
import type { Robot } from '../../../src/testing/robot.ts';
import { createRobot } from '../../../src/testing.ts';
import { until } from '../until.ts';

const WAITS = { inquiryMs: 300, inquiryIntervalMs: 200, retryMs: 20 };

export interface PlanSettings {
  plan?: string;
  modules?: readonly string[];
  symbols?: readonly string[];
  wait?: string;
  inquiryWait?: string;
}

export const planSandbox = (): Promise<Robot> => createRobot({ env: { XRPL_CLOSE_INTERVAL: '50ms' } });

/** Runs modules against the reference VASP, which breaks what `boundary` breaks. */
export async function runPlan(
  robot: Robot,
  settings: PlanSettings,
  boundary: Boundary = {},
): Promise<RunReport> {
  const vasp = await joinSandbox({ url: robot.url, waits: WAITS, boundary });
  try {
    return await runAgainst(robot, settings);
  } finally {
    await vasp.stop();
  }
}

/** Runs modules against whatever VASP is registered. */
export async function runAgainst(robot: Robot, settings: PlanSettings): Promise<RunReport> {
  const body = { plan: 'complete', unattended: true, wait: '3s', inquiryWait: '3s', ...settings };
  const started = await robot.api.call<{ id: string }>('POST', '/sandbox/v1/runs', body);
  if (started.status !== 201) throw new Error(JSON.stringify(started.body));
  let report: RunReport | undefined;
  await until(async () => {
    report = (await robot.api.call<RunReport>('GET', `/sandbox/v1/runs/${started.body.id}`)).body;
    return report.endedAt !== null;
  });
  return report!;
}

/** The ids of the conditions that fell, each once. */
export const fallen = ({ modules }: RunReport): string[] => [
  ...new Set(
    modules.flatMap(({ conditions }) =>
      conditions.filter(({ result }) => result !== 'PASSED' && result !== 'SKIPPED').map(({ id }) => id),
    ),
  ),
];
