import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { RunReport } from '../../src/contract/plans.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { type IndependentVasp, startIndependentVasp } from '../support/plans/independent/vasp.ts';
import { WRONGS, type Wrong } from '../support/plans/independent/wrongs.ts';
import {
  failedConditions,
  PATIENT,
  planSandbox,
  registerVasp,
  runAgainst,
} from '../support/plans/run-plan.ts';
import { WRONG_VASPS, type WrongVasp } from './wrong-vasps.ts';

/** VASPs that use nothing of the program. Each plays one wrong one after another. */
interface Played {
  vasp: IndependentVasp;
  api: Client;
}

/** Each reads every block that the others make, in the process that also serves them. */
const AT_ONCE = 4;
/** A test also waits for those before it. What hangs is ended by `runAgainst`. */
const QUEUE_MS = 3_600_000;
let robot: Robot;
/** Modules that hold a ledger have one of their own. */
let ofOne: Robot;
let lonely: Played;
const free: Played[] = [];
let results: ReturnType<typeof playAll> | undefined;

async function start(sandbox: Robot): Promise<Played> {
  let vasp: IndependentVasp | undefined;
  const api = await registerVasp(sandbox, async apiKey => {
    vasp = await startIndependentVasp(sandbox.url, apiKey);
    return vasp;
  });
  return { vasp: vasp!, api };
}

beforeAll(async () => {
  [robot, ofOne] = await Promise.all([planSandbox(PATIENT), planSandbox(PATIENT)]);
  free.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => start(robot)))));
  lonely = await start(ofOne);
}, 60_000);
// From the first test on, beside those of the right one. Only those that a filter leaves.
beforeEach(({ task }) => {
  const suite = task.file.tasks.find(each => each.type === 'suite');
  results ??= playAll(WRONG_VASPS.filter((_, index) => suite?.tasks[index]?.mode !== 'skip'));
});
afterAll(async () => {
  await Promise.all([...free, lonely].map(each => each?.vasp.stop()));
  await Promise.all([robot?.close(), ofOne?.close()]);
});

interface Found {
  ids: readonly string[];
  /** What the report says of the modules and of each failure. */
  texts: string;
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

const textsOf = (report: RunReport, ids: readonly string[]): string =>
  report.modules
    .flatMap(({ id: module, status, result, note, conditions }) => [
      `${module}: ${result ?? status} ${note ?? ''}`,
      ...conditions
        .filter(({ id }) => ids.includes(id))
        .map(({ id, expected, got }) => `${id}: ${expected}, and got ${got}`),
    ])
    .join('\n');

function expectPassed(report: RunReport): void {
  const failed = failedConditions(report);
  expect([report.result, failed], textsOf(report, failed)).toEqual(['PASSED', []]);
}

test('REF-3: one that sees a payment after twelve blocks passes, on a chain without blocks of its own', async () => {
  await lonely.vasp.become(undefined, { confirmations: 12 });
  const settings = { modules: ['R6', 'C4', 'D4'], symbols: ['ETH'], wait: '20s', inquiryWait: '20s' };
  const report = await runAgainst(lonely.api, settings);
  await lonely.vasp.become(undefined);
  expectPassed(report);
}, 60_000);

test('REF-3: one that sees a payment after three blocks passes the complete plan, on a chain with a block each second', async () => {
  await using seconds = await planSandbox({ ...PATIENT, ETH_BLOCK_TIME: '1s' });
  const { vasp, api } = await start(seconds);
  await vasp.become(undefined, { confirmations: 3 });
  const report = await runAgainst(api, { symbols: ['ETH'], wait: '20s', inquiryWait: '20s' });
  await vasp.stop();
  expectPassed(report);
}, 600_000);

test('the right one passes the complete plan', async () => {
  const report = await runAgainst(lonely.api, { wait: '20s', inquiryWait: '20s' });
  expectPassed(report);
}, 300_000);

/** Every wrong VASP of these that may share its ledgers is played at once, by the next one that is free. */
function playAll(wrongVasps: readonly WrongVasp[]): Map<WrongVasp, Promise<Found>> {
  const waiting = wrongVasps
    .filter(({ isAlone }) => !isAlone)
    .map(wrong => {
      let resolve: (found: Found) => void = () => {};
      const promise = new Promise<Found>(done => {
        resolve = done;
      });
      return { wrong, promise, resolve };
    });
  const played = new Map(waiting.map(({ wrong, promise }) => [wrong, promise]));
  for (const each of free)
    void (async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        next.resolve(
          await failuresOf(each, next.wrong).catch(error => ({ ids: [String(error)], texts: '' })),
        );
    })();
  return played;
}

test('every wrong is played', () => {
  const played = new Set(WRONG_VASPS.map(({ wrong }) => wrong));
  expect(Object.keys(WRONGS).filter(wrong => !played.has(wrong as Wrong))).toEqual([]);
});

describe('one that', () => {
  test.for(WRONG_VASPS)('$wrong', { timeout: QUEUE_MS }, async each => {
    const { ids: found, texts } = await (results!.get(each) ?? failuresOf(lonely, each));
    const { fails, may = [] } = each;
    const others = found.filter(id => !may.includes(id));
    // What may fail alone takes the place of the first one.
    const wanted = others.length < found.length && others.length < fails.length ? others : fails;
    expect(others, texts).toEqual([...wanted].sort());
    expect(found, texts).not.toEqual([]);
  });
});
