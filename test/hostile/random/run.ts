import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** Passes `--requests` and `--seed` on to the tests. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '' } },
});
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/hostile/random/vitest.config.ts'], {
  stdio: 'inherit',
  env: { ...process.env, HOSTILE_REQUESTS: values.requests, HOSTILE_SEED: values.seed },
});
process.exitCode = status ?? 1;
