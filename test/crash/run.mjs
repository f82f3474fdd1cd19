import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * `npm run test:crash -- --kills 10000`: kills in rounds, each on new chains and with books compared at its end. In every
 * second round the chains are embedded. `--restore --rounds 500`: older copies of the database are put back in
 * mid-payment instead. Seed and count are kept after each part, so a run that was stopped goes on. `--seed` begins a
 * new run, `--restart` too.
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    restore: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    restart: { type: 'boolean', default: false },
  },
});

const KILLS = {
  what: 'kills',
  progress: '.crash-progress.json',
  file: 'test/crash/random-kills.test.ts',
  part: 100,
  env: (count, done) => ({
    CRASH_KILLS: String(count),
    CRASH_CHAINS: Math.floor(done / 100) % 2 === 1 ? 'embedded' : 'by URL',
  }),
};
const RESTORES = {
  what: 'rounds',
  progress: '.crash-restore-progress.json',
  file: 'test/crash/restores.test.ts',
  part: 50,
  env: count => ({ CRASH_ROUNDS: String(count) }),
};
const run = values.restore ? RESTORES : KILLS;
const wanted = Number(values[run.what]);
if (!Number.isSafeInteger(wanted) || wanted < 1) throw new Error(`--${run.what} is a whole number from 1 on`);

const stored = () => {
  try {
    return JSON.parse(readFileSync(run.progress, 'utf8'));
  } catch {
    return undefined;
  }
};
const isNew = values.restart || values.seed !== undefined;
const progress = (!isNew && stored()) || { seed: Number(values.seed ?? Date.now() % 1_000_000_000), done: 0 };
const say = () => console.log(`seed ${progress.seed}: ${progress.done} of ${wanted} ${run.what} are done`);

say();
while (progress.done < wanted) {
  const count = Math.min(run.part, wanted - progress.done);
  const seed = { CRASH_SEED: String(progress.seed + progress.done) };
  const env = { ...process.env, ...seed, ...run.env(count, progress.done) };
  const config = ['--config', 'test/crash/vitest.config.ts'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...config, run.file];
  const { status } = spawnSync(process.execPath, vitest, { env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  progress.done += count;
  writeFileSync(run.progress, `${JSON.stringify(progress)}\n`);
  say();
}
rmSync(run.progress, { force: true });
