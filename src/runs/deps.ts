import type { Client } from '../client/client.ts';
import type { RunReport } from '../contract/plans.ts';
import type { PlanRunner } from '../plans/runner.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';

/** What plays by the API of the program has the sandbox and that API. */
export interface RunsDeps extends SandboxDeps {
  runs: PlanRunner;
  apiOf(vaspId: string): Client;
  certify(report: RunReport): Promise<string>;
}

/** What plays a run has no runs: they have it. */
export type WorldDeps = Omit<SandboxDeps, 'runs'>;
