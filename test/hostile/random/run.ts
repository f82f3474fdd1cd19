import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** Passes `--requests`, `--seed`, and `--seconds` of each sequence on to the tests. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '' },
    seconds: { type: 'string', default: '20' },
  },
});
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/hostile/random/vitest.config.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    HOSTILE_REQUESTS: values.requests,
    HOSTILE_SEED: values.seed,
    HOSTILE_SECONDS: values.seconds,
  },
});
process.exitCode = status ?? 1;
