import { expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/kernel/log.ts';
import { createTasks } from '../../src/reference-vasp/store.ts';
import { until } from '../support/until.ts';

test('a task that is done before its next look never looks again', async () => {
  const tasks = createTasks(1, silentLog);
  let looks = 0;
  const look = async () => (++looks === 1 ? 20 : undefined);
  tasks.run('short', look);
  await until(() => looks === 1);
  tasks.run('short', look);
  await until(() => looks === 2);
  let later = 0;
  tasks.run('long', async () => (++later === 1 ? 40 : undefined));
  await until(() => later === 2);
  expect(looks).toBe(2);
  await tasks.stop();
});

test('a step that fails is repeated with growing pauses, and logged once until the failure changes', async () => {
  const logged: string[] = [];
  const log = { ...silentLog, warn: ({ err }: { err: Error }) => logged.push(err.message) } as unknown as Log;
  const tasks = createTasks(5, log);
  const looks: number[] = [];
  tasks.run('failing', async () => {
    looks.push(performance.now());
    if (looks.length > 6) return undefined;
    throw new Error(looks.length > 3 ? 'second' : 'first');
  });
  await until(() => looks.length === 7);
  await tasks.stop();
  expect(logged).toEqual(['first', 'second']);
  expect(looks[6]! - looks[5]!).toBeGreaterThan(25);
});

test('a task that is asked for in the moment in which its turn ends looks again', async () => {
  const own = createTasks(1, silentLog);
  let looks = 0;
  const step = async () => {
    looks += 1;
    if (looks === 1) queueMicrotask(() => own.run('a', step));
    return undefined;
  };
  own.run('a', step);
  await until(() => looks === 2);
  await own.stop();
});
