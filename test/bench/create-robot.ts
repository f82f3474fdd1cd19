import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { medianOf } from './samples.ts';

const PROCESSES = 10;
const MORE_ROBOTS = 3;
const SCRIPT = `
const began = performance.now();
const { createRobot } = await import(process.argv[1]);
const robots = [await createRobot()];
const first = performance.now() - began;
const more = [];
for (let n = 0; n < ${MORE_ROBOTS}; n++) {
  const since = performance.now();
  robots.push(await createRobot());
  more.push(performance.now() - since);
}
console.log(JSON.stringify({ first, more }));
for (const robot of robots) await robot.close();
`;

/** `createRobot` of the test helper: the first of a process, with its import, and each further one. */
export async function benchCreateRobot(): Promise<void> {
  section(`Test helper (medians of ${PROCESSES} processes)`);
  const helper = pathToFileURL(join(dirname(OURS[0]!), 'launch/testing.cjs')).href;
  const first: number[] = [];
  const more: number[] = [];
  for (let n = 0; n < PROCESSES; n++) {
    const argv = ['--input-type=module', '--eval', SCRIPT, helper];
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    const answer: { first: number; more: number[] } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    first.push(answer.first);
    more.push(...answer.more);
  }
  show(
    { what: 'first createRobot()', ...medianOf(first), unit: 'ms', budget: { atMost: 300 } },
    { what: 'each further createRobot()', ...medianOf(more), unit: 'ms', budget: { atMost: 100 } },
  );
}
