import { expect, test } from 'vitest';
import { createRobot } from '../../src/testing.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';

test('a function makes the VASP act; what it cannot do is skipped', async () => {
  await using robot = await createRobot();
  const actions: string[] = [];
  const report = await robot.check({
    plan: 'withdrawal',
    symbols: ['ETH'],
    modules: ['W1', 'W4.1'],
    customers: CUSTOMERS,
    driver: async ({ action }) => {
      actions.push(action);
      if (action !== 'list-vasps') return 'not-supported';
      await fetch(`${robot.url}/v1/vasps`);
      return undefined;
    },
  });
  expect(actions).toEqual(['balance', 'list-vasps', 'withdraw']);
  expect(report.modules.map(({ id, result }) => [id, result])).toEqual([
    ['W1', 'PASSED'],
    ['W4.1', 'SKIPPED'],
  ]);
  expect(report.modules[1]?.skippedBecause).toContain('The driver endpoint cannot do `withdraw`.');
});

test('a part of an action that the VASP cannot do is named', async () => {
  await using robot = await createRobot();
  const { modules } = await robot.check({
    symbols: ['ETH'],
    modules: ['R8'],
    customers: CUSTOMERS,
    driver: async ({ action }) => (action === 'balance' ? { value: '1' } : 'not-supported'),
  });
  expect(modules[0]?.skippedBecause).toBe('The driver endpoint cannot do `withdraw` with kinds sanction, kyt.');
});

test('with the reference VASP a suite can try everything at once', async () => {
  await using robot = await createRobot({ referenceVasp: true });
  const report = await robot.check({ plan: 'security' });
  expect(report).toMatchObject({ result: 'PASSED', vasp: { name: 'Reference VASP' } });
});
