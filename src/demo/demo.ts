import { once } from 'node:events';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { type DemoEnvironment, startEnvironment } from './environment.ts';
import type { SceneContext } from './scenes/context.ts';
import { deposit, forcedReports, transfersThatFail } from './scenes/deposit.ts';
import { errorReport } from './scenes/error-report.ts';
import { everyReason } from './scenes/every-reason.ts';
import { riskAsBeneficiary, riskAsOriginator } from './scenes/risk.ts';
import { withReport } from './scenes/with-report.ts';
import { unanswered, withoutReport } from './scenes/without-report.ts';
import { createStepLog, type StepLog } from './step-log.ts';

/**
 * Runs the withdrawal and the deposit test in ETH and XRP against the reference VASP. Returns the exit code: 0 = all steps
 * passed. `isJson`: the figures as JSON on standard output, the steps on standard error.
 */
export async function demo(isJson = false): Promise<number> {
  const output = isJson ? process.stderr : process.stdout;
  // A closed pipe (`demo | head`) must not stop the demo before it has cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const log = createStepLog(line => void output.write(`${line}\n`), output.isTTY === true);
  const startedAt = elapsedMs();
  const undo: (() => Promise<unknown>)[] = [];
  const interrupted = Promise.race([
    once(process, 'SIGINT').then(() => 130),
    once(process, 'SIGTERM').then(() => 143),
  ]);
  log.heading('The reference VASP runs both tests: it pays the robot, and the robot pays it.');
  const opening = startEnvironment(step => undo.push(step));
  const played = opening.then(environment => run(log, environment)).then(() => (log.failures === 0 ? 0 : 1));
  try {
    const code = await Promise.race([played, interrupted]);
    if (code > 1) log.heading('Interrupted: cleaning up after the current step.');
    else summarize(log, elapsedMs() - startedAt);
    if (isJson) process.stdout.write(`${JSON.stringify(figures(log, elapsedMs() - startedAt))}\n`);
    return code;
  } finally {
    log.stop();
    await played.catch(() => {});
    for (let last = undo.pop(); last; last = undo.pop()) await last();
  }
}

async function run(log: StepLog, environment: DemoEnvironment): Promise<void> {
  log.note(`sandbox with both ledgers: ${environment.url}`);
  log.note(`reference VASP, in the role of yours: ${environment.vasp.url}`);
  for (const symbol of ASSET_SYMBOLS) {
    const context = { ...environment, symbol };
    for (const [title, scene] of Object.entries(SCENES))
      await log.scene(`${symbol}: ${title}`, () => scene(log, context));
  }
}

const SCENES: Record<string, (log: StepLog, context: SceneContext) => Promise<void>> = {
  'a withdrawal with its transaction report': withReport,
  'a withdrawal without a report: the robot asks': withoutReport,
  'no payment and no report: the robot asks for an hour': unanswered,
  'a canceled withdrawal: error report': errorReport,
  'every reason of a negative result': everyReason,
  'a deposit: the robot verifies, pays once, reports, and answers': deposit,
  'deposits that never arrive: PENDING, CANCELED': transfersThatFail,
  'forced reports of the robot': forcedReports,
  'risk assessment before and after a withdrawal': riskAsOriginator,
  'risk assessment of a deposit': riskAsBeneficiary,
};

const figures = ({ steps, failures }: StepLog, tookMs: number) => ({
  steps,
  failures,
  tookMs: Math.round(tookMs),
});

function summarize({ heading, steps, failures }: StepLog, tookMs: number): void {
  const seconds = (tookMs / 1000).toFixed(1);
  heading(
    failures === 0
      ? `All ${steps} steps passed in ${seconds} seconds.`
      : `${failures} of ${steps} steps failed (${seconds} seconds).`,
  );
}
