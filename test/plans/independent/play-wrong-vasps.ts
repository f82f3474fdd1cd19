import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunReport } from '../../../src/contract/plans.ts';
import type { Robot } from '../../../src/testing/robot.ts';
import { type Played, playAll, startIndependent } from '../../support/plans/independent/pool.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../../support/plans/run-plan.ts';
import type { WrongVasp } from '../wrong-vasps.ts';

/** Each reads every block that the others make, in the process that also serves them. */
const AT_ONCE = 4;
/** Each has ledgers of its own. They wait for most of their time. */
const ALONE_AT_ONCE = 3;
/** A test also waits for those before it. What hangs is ended by `runAgainst`. */
const QUEUE_MS = 3_600_000;

interface Found {
  ids: readonly string[];
  /** What the report says of the modules and of each failure. */
  texts: string;
}

/** Declares a test of each. All are played from the first test on: most share their ledgers, the others take turns. */
export function playWrongVasps(wrongVasps: readonly WrongVasp[]): void {
  const sandboxes: Robot[] = [];
  const played: Played[] = [];
  let results: Map<WrongVasp, Promise<Found>> | undefined;

  async function started(count: number): Promise<Played[]> {
    const sandbox = await planSandbox(PATIENT);
    sandboxes.push(sandbox);
    const vasps = await Promise.all(Array.from({ length: count }, () => startIndependent(sandbox)));
    played.push(...vasps);
    return vasps;
  }
  let free: Played[] = [];
  let lonely: Played[] = [];
  beforeAll(async () => {
    const alone = wrongVasps.filter(each => each.isAlone).slice(0, ALONE_AT_ONCE);
    const each = await Promise.all(alone.map(() => started(1)));
    lonely = each.flat();
    free = await started(AT_ONCE);
  });
  // Only those that a filter leaves.
  beforeEach(({ task }) => {
    const suite = task.suite ?? task.file;
    const left = wrongVasps.filter((_, index) => suite.tasks[index]?.mode !== 'skip');
    const played = (by: Played[], alone: boolean) =>
      playAll(
        by,
        left.filter(({ isAlone = false }) => isAlone === alone),
        failuresOf,
        error => ({ ids: [String(error)], texts: '' }),
      );
    results ??= new Map([...played(free, false), ...played(lonely, true)]);
  });
  afterAll(async () => {
    await Promise.all(played.map(({ vasp }) => vasp.stop()));
    await Promise.all(sandboxes.map(sandbox => sandbox.close()));
  });

  describe('one that', () => {
    test.for(wrongVasps)('$wrong', { timeout: QUEUE_MS }, async each => {
      const { ids: found, texts } = await results!.get(each)!;
      const { fails, may = [] } = each;
      const others = found.filter(id => !may.includes(id));
      // What may fail alone takes the place of the first one.
      const wanted = others.length < found.length && others.length < fails.length ? others : fails;
      expect(others, texts).toEqual([...wanted].sort());
      expect(found, texts).not.toEqual([]);
    });
  });
}

async function failuresOf({ vasp, api }: Played, each: WrongVasp): Promise<Found> {
  const { wrong, fails, skips = [], modules, symbol = 'ETH', wait = '20s', inquiryWait = wait } = each;
  await vasp.become(wrong, each.sandboxClock ? { sandboxClock: true } : {});
  const names = modules ?? [...new Set([...fails.map(id => id.slice(0, id.lastIndexOf('.'))), ...skips])];
  const report = await runAgainst(api, { modules: names, symbols: [symbol], wait, inquiryWait }).finally(() =>
    vasp.become(undefined),
  );
  const skipped = report.modules.filter(({ skippedBecause }) => skippedBecause !== null);
  const unplayed = skipped.map(({ id, skippedBecause }) => `${id}: ${skippedBecause}`);
  const isAsWanted = skipped.map(({ id }) => id).join() === skips.join();
  const ids = [...failedConditions(report).sort(), ...(isAsWanted ? [] : [`skipped: ${unplayed.join(' ')}`])];
  return { ids, texts: textsOf(report, ids) };
}

export const textsOf = (report: RunReport, ids: readonly string[]): string =>
  report.modules
    .flatMap(({ id: module, status, result, note, conditions }) => [
      `${module}: ${result ?? status} ${note ?? ''}`,
      ...conditions
        .filter(({ id }) => ids.includes(id))
        .map(({ id, expected, got }) => `${id}: ${expected}, and got ${got}`),
    ])
    .join('\n');
