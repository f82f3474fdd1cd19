import * as z from 'zod';
import type { CallName } from '../contract/calls.ts';
import { RunReport } from '../contract/plans.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { parseDuration } from '../kernel/duration.ts';
import { type Json, requireOneOf, ToolFailure } from './schemas.ts';
import { hasBad, playedOf, verdictOf } from './views.ts';

/** The API, as a tool calls it. */
export interface Api {
  /** Throws `ToolFailure`. */
  call(name: CallName, args: Json): Promise<Json>;
  /** Of a call that returns no JSON. Throws `ToolFailure`. */
  read(name: CallName, args: Json): Promise<string>;
  /** Undefined: nobody listens. */
  readonly progress?: ((played: number, all: number, message: string) => Promise<void>) | undefined;
}

const DEFAULT_WAIT = '30s';
/** A client gives a call 60 seconds by default. */
const MAX_WAIT_MS = 50_000;
/** Between two reports of progress. */
const STEP_MS = 2_000;

export const TestRunQuery = z.object({
  wait: z.string().default(DEFAULT_WAIT).describe('At most `50s`, with notifications of progress.'),
  module: z.string().optional().describe('Only the failures of this module.'),
});

const parts = z.array(z.unknown());
export const TestRunAnswer = RunReport.pick({
  id: true,
  plan: true,
  result: true,
  startedAt: true,
  endedAt: true,
  counts: true,
  problem: true,
}).extend({
  modules: z.object(),
  causes: parts,
  failures: parts,
  moreFailures: z.number(),
  waiting: parts,
  skipped: parts,
});

/** Waits for the end of a run, tells how far it is, and returns its verdict. Throws `ToolFailure`. */
export async function readTestRun({ call, progress }: Api, { id, wait = DEFAULT_WAIT, module }: Json): Promise<Json> {
  const waitMs = parseDuration(String(wait));
  if (waitMs === undefined || waitMs > MAX_WAIT_MS)
    throw new ToolFailure('`wait` should be a duration such as `30s`, at most `50s`.');
  const read = async (query: Json) => (await call('run', { id, ...query })) as unknown as RunReport;
  const end = elapsedMs() + waitMs;
  for (;;) {
    const leftMs = Math.max(0, Math.round(end - elapsedMs()));
    const run = await read({ exchangesOf: '', wait: `${progress ? Math.min(STEP_MS, leftMs) : leftMs}ms` });
    const { played, all } = playedOf(run.modules);
    if (run.endedAt === null && elapsedMs() < end) {
      await progress?.(played, all, `${played} of ${all} modules are played.`);
      continue;
    }
    requireOneOf([...new Set(run.modules.map(each => each.id))], 'module', module);
    const positions = run.modules.flatMap((each, position) =>
      hasBad(each) && (module === undefined || each.id === module) ? [position] : [],
    );
    return verdictOf(await read({ exchangesOf: positions.join() }), module);
  }
}
