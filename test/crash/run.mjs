import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * `npm run test:crash -- --kills 10000`: kills in rounds, each on new chains and with books compared at its end. In every second round the chains are embedded. Seed and
 * count are kept after each round, so a run that was stopped goes on. `--seed` begins a new run, `--restart` too.
 */

const PROGRESS = '.crash-progress.json';
const ROUND = 100;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string' },
    restart: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('--kills is a whole number from 1 on');

const stored = () => {
  try {
    return JSON.parse(readFileSync(PROGRESS, 'utf8'));
  } catch {
    return undefined;
  }
};
const isNew = values.restart || values.seed !== undefined;
const progress = (!isNew && stored()) || { seed: Number(values.seed ?? Date.now() % 1_000_000_000), done: 0 };
console.log(`seed ${progress.seed}: ${progress.done} of ${kills} kills are done`);

while (progress.done < kills) {
  const round = Math.min(ROUND, kills - progress.done);
  const env = {
    ...process.env,
    CRASH_KILLS: String(round),
    CRASH_SEED: String(progress.seed + progress.done),
    CRASH_CHAINS: Math.floor(progress.done / ROUND) % 2 === 1 ? 'embedded' : 'by URL',
  };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/crash/vitest.config.ts'];
  const { status } = spawnSync(process.execPath, vitest, { env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  progress.done += round;
  writeFileSync(PROGRESS, `${JSON.stringify(progress)}\n`);
  console.log(`seed ${progress.seed}: ${progress.done} of ${kills} kills are done`);
}
rmSync(PROGRESS, { force: true });
