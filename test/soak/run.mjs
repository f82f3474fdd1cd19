import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { SELF_SIGNED } from '../support/vasp/certificates.mjs';
import { api } from './api.mjs';
import { HOSTILE } from './hostile.mjs';
import { watchHealth, watchMemory } from './measure.mjs';
import { playPlans } from './sound.mjs';

/**
 * `npm run test:soak -- --minutes 60`: the hosted sandbox with 25 trial VASPs in a process of 1 GB. Ten of them are hostile,
 * each in other ways; the others play plans, three at a time. Fails when a plan does not pass, the health check is late, the memory
 * grows or Node.js warns.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    cli: { type: 'string', default: 'dist/cli.js' },
    keep: { type: 'string', default: '' },
  },
});
/** Of the health check, besides what the machine itself is late. */
const [MAX_P99_MS, MAX_MS] = [100, 500];
/** The memory in the last fifth of the run, as a multiple of that after the first minutes. */
const MAX_GROWTH = 1.3;
const SETTLED_MS = 300_000;
/** Megabytes. */
const [MAX_HEAP, MAX_RESIDENT] = [700, 1_024];
const endsAt = Date.now() + Number(values.minutes) * 60_000;

const folder = values.keep || mkdtempSync(join(tmpdir(), 'robot-vasp-soak-'));
const trusted = join(folder, 'trusted.pem');
writeFileSync(trusted, SELF_SIGNED.cert);
const server = spawn(
  process.execPath,
  ['--trace-warnings', `--max-old-space-size=${MAX_HEAP}`, values.cli, 'serve', '--json'],
  {
    env: {
      PATH: process.env.PATH,
      MODE: 'hosted',
      REGISTRATION: 'trial',
      TRUSTED_PROXIES: '127.0.0.1/32',
      PUBLIC_URL: 'http://127.0.0.1',
      ALLOW_HTTP_CALLBACKS: 'true',
      CALLBACK_ALLOW: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: trusted,
      OPERATOR_KEY: 'operator-of-the-soak-0123456789-abcdef',
      DATA_KEY: '0123456789abcdef'.repeat(4),
      PORT: '0',
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  },
);
process.once('exit', () => server.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
let log = '';
server.stderr.setEncoding('utf8').on('data', text => {
  log = (log + text).slice(-1_000_000);
});
// An attack that meets no server any more fails, and this process with it.
server.once('exit', (code, signal) => console.log(`the server ended: ${code ?? signal}\n${log.slice(-5_000)}`));
const lines = createInterface({ input: server.stdout });
const [first] = await once(lines, 'line');
const { url } = JSON.parse(first);
while ((await fetch(`${url}/readyz`)).status !== 200) await new Promise(r => setTimeout(r, 200));

const trials = [];
for (let n = 0; n < 25; n++)
  trials.push(await api(url).send('POST', '/sandbox/v1/registrations', { name: `Trial ${n}` }, `10.7.${n}.1`));
const [hostile, sound] = [trials.slice(0, 10), trials.slice(10)].map(list => list.map(({ body }) => body));
console.log(`${url}: ${trials.filter(({ status }) => status === 201).length} trials, pid ${server.pid}`);

const health = watchHealth(url);
const memory = watchMemory(server.pid, 15_000, SETTLED_MS);
const answers = {};
const over = () => Date.now() > endsAt || server.exitCode !== null;
const note = (what, how) => {
  answers[what] ??= {};
  const of = answers[what];
  of[how] = (of[how] ?? 0) + 1;
};
const attacks = hostile.flatMap((trial, n) => HOSTILE[n].map(attack => attack({ url, trial, over, note })));
const plans = await playPlans({ url, cli: values.cli, vasps: sound, over, keep: values.keep });
await Promise.all(attacks);

const times = await health.stop();
const { growth, samples } = memory.stop();
const failed = plans.filter(({ result }) => result !== 'PASSED');
const figures = { plans: plans.length, failed, health: times, memory: samples, growth, load: loadavg(), answers };
console.log(JSON.stringify(figures));
server.kill('SIGTERM');
const [code] = server.exitCode === null ? await once(server, 'exit') : [server.exitCode];
if (values.keep) writeFileSync(join(folder, 'figures.json'), JSON.stringify(figures, undefined, 1));
if (!values.keep) rmSync(folder, { recursive: true });
const isGreen =
  failed.length === 0 &&
  !log.includes('Warning:') &&
  code === 0 &&
  times.p99 <= MAX_P99_MS + times.machine.p99 &&
  times.max <= MAX_MS + times.machine.max &&
  growth <= MAX_GROWTH &&
  Math.max(...samples) <= MAX_RESIDENT;
console.log(isGreen ? 'green' : 'not green');
process.exit(isGreen ? 0 : 1);
