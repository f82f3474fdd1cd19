import { setTimeout as delay } from 'node:timers/promises';
import { type Client, client } from '../../../src/client/client.ts';
import type { Customers } from '../../../src/contract/customers.ts';
import type { RunReport } from '../../../src/contract/plans.ts';
import { joinSandbox, REFERENCE_NAME } from '../../../src/reference-vasp/join.ts';
import type { Boundary } from '../../../src/reference-vasp/vasp.ts';
import type { Robot } from '../../../src/testing/robot.ts';
import { createRobot } from '../../../src/testing.ts';

const WAITS = { inquiryMs: 300, inquiryIntervalMs: 200, retryMs: 20 };

export interface PlanSettings {
  plan?: string;
  modules?: readonly string[];
  symbols?: readonly string[];
  wait?: string;
  inquiryWait?: string;
  customers?: Customers;
  driver?: { url: string };
}

/** An answer is the whole report, which grows with the run: to ask more often would cost more than the run. */
const ASK_AFTER = { firstMs: 20, partOfRun: 1 / 25 };

/** Time limits for a VASP that shares a busy machine with the sandbox. */
export const PATIENT = {
  VASP_TIMEOUT_ACCOUNT: '20s',
  VASP_TIMEOUT_USER: '20s',
  VASP_TIMEOUT_TRANSACTION: '20s',
  VASP_TIMEOUT_CALLBACK: '20s',
};

export const planSandbox = (env: Record<string, string> = {}): Promise<Robot> =>
  createRobot({ env: { XRPL_CLOSE_INTERVAL: '50ms', ...env } });

let vasps = 0;

/** Runs of different VASPs may go on at the same time: each has a clock of its own. */
async function newVasp(robot: Robot): Promise<{ vaspId: string; apiKey: string }> {
  const vaspId = String(27372039731950000n + BigInt(++vasps));
  const path = `/sandbox/v1/vasps/${vaspId}`;
  const { body } = await robot.api.call<{ apiKey: string }>('PUT', path, { name: REFERENCE_NAME });
  return { vaspId, apiKey: body.apiKey };
}

/** Runs modules against a reference VASP of its own, which breaks what `boundary` breaks. */
export async function runPlan(
  robot: Robot,
  settings: PlanSettings,
  {
    boundary = {},
    callbackUrl,
    waits = WAITS,
  }: { boundary?: Boundary; callbackUrl?: string | undefined; waits?: typeof WAITS } = {},
): Promise<RunReport> {
  const { vaspId, apiKey } = await newVasp(robot);
  const vasp = await joinSandbox({ url: robot.url, apiKey, waits, boundary });
  const api = client(robot.url, { apiKey });
  if (callbackUrl) await api.call('PATCH', `/sandbox/v1/vasps/${vaspId}`, { endpoints: { callback: callbackUrl } });
  try {
    return await runAgainst(api, settings);
  } finally {
    await vasp.stop();
  }
}

/** A run that takes longer hangs. It is stopped, so that its VASP can play the next one. */
const ENDS_WITHIN_MS = 900_000;

/** Runs modules against whatever VASP is registered. */
export async function runAgainst(api: Pick<Client, 'call'>, settings: PlanSettings): Promise<RunReport> {
  const body = { plan: 'complete', unattended: true, wait: '3s', inquiryWait: '3s', ...settings };
  const started = await api.call<{ id: string }>('POST', '/sandbox/v1/runs', body);
  if (started.status !== 201) throw new Error(JSON.stringify(started.body));
  const path = `/sandbox/v1/runs/${started.body.id}`;
  const startedAt = performance.now();
  for (;;) {
    const lastsMs = performance.now() - startedAt;
    await delay(Math.max(ASK_AFTER.firstMs, lastsMs * ASK_AFTER.partOfRun));
    const { status, body: report } = await api.call<RunReport>('GET', path);
    // The limit of requests counts all keys of a VASP, and a test may use it up.
    if (status === 429) continue;
    if (report.endedAt === null && lastsMs > ENDS_WITHIN_MS) await api.call('DELETE', path);
    if (report.endedAt === null) continue;
    requireTexts(report);
    return report;
  }
}

/** A result that somebody must read says what was expected and what came: never nothing, never `0: .` */
function requireTexts({ modules }: RunReport): void {
  const shown = modules
    .flatMap(({ conditions }) => conditions)
    .filter(({ result }) => result !== 'PASSED' && result !== 'SKIPPED');
  const isEmpty = (text: string | null) => text === null || !/[\p{L}\d]\W{0,2}$/u.test(text) || /^\d*:\W*$/.test(text);
  const empty = shown.filter(({ result, expected, got }) => isEmpty(got) || (result !== 'REVIEW' && isEmpty(expected)));
  if (empty.length > 0) throw new Error(`conditions without a text: ${JSON.stringify(empty)}`);
}

/** The ids of the conditions that failed, each once. */
export const failedConditions = ({ modules }: RunReport): string[] => [
  ...new Set(
    modules.flatMap(({ conditions }) =>
      conditions.filter(({ result }) => result !== 'PASSED' && result !== 'SKIPPED').map(({ id }) => id),
    ),
  ),
];

interface Started {
  endpoints: Record<string, string>;
  token: string;
  stop?(): Promise<void>;
}
export interface Registered<V extends Started> {
  api: Client;
  vasp: V;
  close(): Promise<void> | undefined;
}

/** A VASP that is started with its key, and registered as one of its own. */
export async function registerVasp<V extends Started>(
  robot: Robot,
  start: (apiKey: string) => Promise<V>,
): Promise<Registered<V>> {
  const { vaspId, apiKey } = await newVasp(robot);
  const vasp = await start(apiKey);
  const { endpoints, token } = vasp;
  const api = client(robot.url, { apiKey });
  await api.registerVasp(vaspId, {
    name: 'Independent VASP',
    endpoints,
    authorization: { header: 'Authorization', token },
  });
  return { api, vasp, close: () => vasp.stop?.() };
}
