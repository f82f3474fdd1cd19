import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { api, sleep } from './api.mjs';

const AT_ONCE = 3;
const PLANS = ['deposit', 'withdrawal'];
const OF_A_DAY = /PerDay|faucet/;
/** A plan begins while no more than this part of a day's quota is used. */
const ENOUGH = 0.6;

/**
 * Each VASP plays its plans with the reference VASP, and again while there is time and its day's quotas last: one VASP the
 * one plan first, the next one the other. `keep`: a folder for the reports of runs that do not pass.
 */
export async function playPlans({ url, cli, vasps, over, keep }) {
  const played = [];
  let next = 0;
  const play = async () => {
    while (next < vasps.length || !over()) {
      const turn = next++ % vasps.length;
      const vasp = vasps[turn];
      const plans = turn % 2 === 0 ? PLANS : PLANS.toReversed();
      if (vasp.isSpent || vasp.isPlaying) {
        await sleep(vasps.every(one => one.isSpent) ? 1_000 : 10);
        continue;
      }
      vasp.isPlaying = true;
      played.push(...(await playAll({ url, cli, vasp, plans, keep })));
      vasp.isPlaying = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  return played;
}

async function playAll({ url, cli, vasp, plans, keep }) {
  const child = spawnWithUs(process.execPath, [cli, 'vasp', '--url', url, '--api-key', vasp.apiKey, '--replace'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const joined = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  child.stdout.resume();
  const played = [];
  for (const plan of joined ? plans : []) {
    const report = await run(api(url, vasp.apiKey), plan, keep);
    if (report.isSpent) {
      vasp.isSpent = true;
      break;
    }
    played.push({ vasp: vasp.vaspId, ...report });
    console.log(new Date().toISOString().slice(11, 19), JSON.stringify(played.at(-1)));
  }
  if (!joined) played.push({ vasp: vasp.vaspId, result: 'did not join' });
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return played;
}

function spawnWithUs(...command) {
  const child = spawn(...command);
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** `isSpent`: the quota of a day is used up. */
async function run(sandbox, plan, keep) {
  const since = performance.now();
  const send = async (...call) => {
    for (;;) {
      const answer = await sandbox.send(...call);
      if (answer.status !== 429 || answer.retryAfter > 60) return answer;
      await sleep(1_000 * Math.min(3, answer.retryAfter || 1));
    }
  };
  const before = (await send('GET', '/sandbox/v1/usage')).body?.quotas ?? {};
  if (Object.entries(before).some(([name, { used, limit }]) => OF_A_DAY.test(name) && used > limit * ENOUGH))
    return { isSpent: true };
  const started = await send('POST', '/sandbox/v1/runs', { plan, unattended: true });
  if (started.status !== 201) return { plan, result: started.status, message: started.body?.message };
  const path = `/sandbox/v1/runs/${started.body.id}`;
  let report;
  do {
    await sleep(1_500);
    ({ body: report } = await send('GET', path));
  } while (!report?.endedAt && performance.now() - since < 900_000);
  const seconds = Math.round((performance.now() - since) / 1_000);
  if (keep && report?.result !== 'PASSED')
    writeFileSync(join(keep, `${started.body.id}.json`), JSON.stringify(report, undefined, 1));
  const why =
    report?.result === 'PASSED' ? {} : { counts: report?.counts, causes: report?.causes, id: started.body.id };
  return { plan, result: report?.result ?? 'no report', seconds, ...why };
}
