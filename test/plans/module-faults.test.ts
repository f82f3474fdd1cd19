import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import { endArrangements } from '../../src/plans/run-module.ts';
import type { RunWorld } from '../../src/plans/world.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());

const LATE = { target: 'robot.verifyUser', mode: 'delay', delay: '6s', times: 1 } as const;

test('a process that ends between the order of a fault and its answer leaves no fault behind', async () => {
  const byHand = await robot.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
  const api = {
    ...robot.api,
    async addFault(order: Parameters<Robot['api']['addFault']>[0]): Promise<never> {
      await robot.api.addFault(order);
      throw new Error('the process ends here');
    },
  };
  const world = { api, vaspId: robot.info.vasp.vaspId, settings: {} } as unknown as RunWorld;
  const report = { id: 'W3.i', conditions: [] } as unknown as ModuleReport;
  let stored = '';
  const onChange = () => {
    stored = JSON.stringify(report);
  };
  const context = new ModuleContext({ world, report, position: 0, since: 0, onChange });
  await expect(context.fault(LATE)).rejects.toThrow('the process ends here');
  expect((await robot.api.faults()).faults).toHaveLength(2);

  const afterRestart = JSON.parse(stored) as ModuleReport;
  await endArrangements(world, afterRestart);
  expect((await robot.api.faults()).faults.map(({ id }) => id)).toEqual([byHand.id]);
  expect(afterRestart.faults).toBeUndefined();
});
