import { expect, test } from 'vitest';
import { silentLog } from '../../src/kernel/log.ts';
import { createTasks } from '../../src/reference-vasp/tasks.ts';
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
