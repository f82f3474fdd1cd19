import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { deposit, forcedReports, transfersThatFail } from './scenes/deposit.ts';
import { errorReport } from './scenes/error-report.ts';
import { everyReason } from './scenes/every-reason.ts';
import { funding } from './scenes/funding.ts';
import { riskAsBeneficiary, riskAsOriginator } from './scenes/risk.ts';
import type { SceneSet } from './scenes/set.ts';
import { withReport } from './scenes/with-report.ts';
import { unanswered, withoutReport } from './scenes/without-report.ts';
import { openStage, type Stage } from './stage.ts';
import { createStory, type Story } from './story.ts';

/**
 * Plays the withdrawal and the deposit test in ETH and XRP against a stand-in VASP. Answers the exit code: 0 = all as
 * expected. `isJson`: the figures as JSON on standard output, the story on standard error.
 */
export async function demo(isJson = false): Promise<number> {
  const told = isJson ? process.stderr : process.stdout;
  // Nobody reads on (`demo | head`): the play goes on all the same, and is cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const story = createStory(line => void told.write(`${line}\n`), told.isTTY === true);
  const startedAt = elapsedMs();
  const undo: (() => Promise<unknown>)[] = [];
  const interrupted = new Promise<number>(resolve => {
    process.once('SIGINT', () => resolve(130));
    process.once('SIGTERM', () => resolve(143));
  });
  story.heading('A VASP plays both tests: it withdraws to the robot, and the robot pays deposits to it.');
  const opening = openStage(step => undo.push(step));
  const played = opening.then(stage => play(story, stage)).then(() => (story.failures === 0 ? 0 : 1));
  try {
    const code = await Promise.race([played, interrupted]);
    if (code > 1) story.heading('Interrupted: cleaning up after the step under way.');
    else summarize(story, elapsedMs() - startedAt);
    if (isJson) process.stdout.write(`${JSON.stringify(figures(story, elapsedMs() - startedAt))}\n`);
    return code;
  } finally {
    story.stop();
    await played.catch(() => {});
    for (let last = undo.pop(); last; last = undo.pop()) await last();
  }
}

async function play(story: Story, stage: Stage): Promise<void> {
  story.note(`the sandbox with both ledgers: ${stage.url}`);
  story.note(`the stand-in for the tested VASP: ${stage.vaspUrl}`);
  for (const symbol of ASSET_SYMBOLS) {
    const set = { ...stage, symbol, wallet: stage.wallets[symbol] };
    for (const [title, scene] of Object.entries(SCENES))
      await story.scene(`${symbol}: ${title}`, () => scene(story, set));
  }
}

const SCENES: Record<string, (story: Story, set: SceneSet) => Promise<void>> = {
  'money for the tests': funding,
  'a withdrawal with its transaction report': withReport,
  'no transaction report comes: the robot asks': withoutReport,
  'neither money nor report comes: the robot asks for an hour': unanswered,
  'the withdrawal is given up: error report': errorReport,
  'every reason of a refusal': everyReason,
  'a deposit: the robot verifies, pays once, reports, and answers': deposit,
  'deposits that do not come: PENDING, CANCELED': transfersThatFail,
  'forced reports of the robot': forcedReports,
  'risk assessment before and after a withdrawal': riskAsOriginator,
  'risk assessment of a deposit': riskAsBeneficiary,
};

const figures = ({ steps, failures }: Story, tookMs: number) => ({
  steps,
  failures,
  tookMs: Math.round(tookMs),
});

function summarize({ heading, steps, failures }: Story, tookMs: number): void {
  const seconds = (tookMs / 1000).toFixed(1);
  heading(
    failures === 0
      ? `All ${steps} steps were as expected, in ${seconds} seconds.`
      : `${failures} of ${steps} steps were not as expected (${seconds} seconds).`,
  );
}
