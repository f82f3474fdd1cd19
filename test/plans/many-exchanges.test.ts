import { expect, test } from 'vitest';
import { createRobot } from '../../src/testing.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';
import { testedVasp } from '../support/vasp/tested-vasp.ts';

const MORE_THAN_A_PAGE = 1_100;

test('a raw call finds its exchange, however many others were recorded while it was under way', async () => {
  const vasp = await testedVasp();
  const robot = await createRobot({ vasp: { endpoints: vasp.endpoints }, env: PATIENT });
  const answer = gate();
  vasp.script('verifyUser', undefined, answer.opened);
  const { id } = await robot.api.startRun({ plan: 'security', modules: ['S2'], unattended: true });
  await vasp.arrived('verifyUser', undefined, 1);
  for (let sent = 0; sent < MORE_THAN_A_PAGE; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => robot.api.self()));
  answer.open();
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  const { modules } = await robot.api.run(id);
  expect(modules.map(({ note }) => note ?? '').join()).not.toContain('not recorded');
  expect(modules.map(({ result }) => result)).not.toContain('ERROR');
  await robot.close();
  await vasp.close();
}, 60_000);
