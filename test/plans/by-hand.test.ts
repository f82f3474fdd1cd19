import { expect, test } from 'vitest';
import type { RunReport } from '../../src/contract/plans.ts';
import { accountRequest, userRequest } from '../../src/contract/sample-requests.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';
import { planSandbox } from '../support/plans/run-plan.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox());

const ORDER = { plan: 'withdrawal', symbols: ['ETH'], modules: ['W2.a'] } as const;
const start = (wait: string) =>
  robot.api.startRun({ ...ORDER, symbols: [...ORDER.symbols], modules: [...ORDER.modules], wait });

async function moduleWhen(
  id: string,
  isSo: (module: RunReport['modules'][number]) => boolean,
): Promise<RunReport['modules'][number]> {
  let module: RunReport['modules'][number] | undefined;
  await until(async () => {
    module = (await robot.api.run(id)).modules[0]!;
    return isSo(module);
  });
  return module!;
}

const callFor = (userId: string, more: object = {}) =>
  robot.api.verifyAccount({
    ...accountRequest({
      robotVaspId: robot.info.robot.vaspId,
      user: robot.info.users.find(({ id }) => id === userId)!,
      symbol: 'ETH',
    }),
    ...more,
  });

test('a person acts: the run waits, shows a call that came close, and goes on by itself', async () => {
  const { id } = await start('60s');
  const waiting = await moduleWhen(id, ({ status }) => status === 'WAITING');
  expect(waiting.waiting?.instruction).toContain('Verify the account 0x');
  await callFor('risk-low');
  const near = await moduleWhen(id, module => (module.waiting?.nearMisses.length ?? 0) > 0);
  expect(near.waiting?.nearMisses[0]?.fields.map(({ field }) => field)).toEqual(['accountNumber']);
  await callFor('taylor-robbins');
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  const { result, exchanges } = (await robot.api.run(id)).modules[0]!;
  expect(result).toBe('PASSED');
  expect(exchanges).toHaveLength(2);
}, 90_000);

test('a call that is denied because of a mistake counts only when it is not made again', async () => {
  const { id } = await start('20s');
  await moduleWhen(id, ({ status }) => status === 'WAITING');
  await callFor('taylor-robbins', { network: 'Solana' });
  await moduleWhen(id, ({ exchanges }) => exchanges.length === 1);
  await callFor('taylor-robbins');
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  expect((await robot.api.run(id)).modules[0]?.result).toBe('PASSED');
}, 60_000);

test('WIRE-2.4: a customer whom a person has chosen is not compared, and a person must look', async () => {
  const { id } = await robot.api.startRun({ symbols: ['ETH'], modules: ['W3.a'], wait: '60s' });
  const { waiting } = await moduleWhen(id, ({ status }) => status === 'WAITING');
  const amount = waiting?.instruction.match(/ ([\d.]+) ETH /)?.[1] ?? '';
  const user = robot.info.users.find(each => each.id === 'taylor-robbins')!;
  await robot.api.verifyUser(
    userRequest({
      robotVaspId: robot.info.robot.vaspId,
      user,
      symbol: 'ETH',
      amount,
      from: '0x5811001506550d8356a215be229c15b6ef371a9b',
    }),
  );
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  const { result, conditions } = (await robot.api.run(id)).modules[0]!;
  expect(result).toBe('REVIEW');
  expect(conditions.filter(each => each.result !== 'PASSED')).toMatchObject([
    { id: 'W3.a.originator', result: 'REVIEW', got: expect.stringContaining('Look at the originator') },
    { id: 'W3.a.originator-birth', result: 'SKIPPED' },
    { id: 'W3.a.originator-birthplace', result: 'SKIPPED' },
    { id: 'W3.a.originator-account', result: 'SKIPPED' },
  ]);
}, 60_000);

test('only a call that comes close: NOT-RECEIVED, with the field that differs', async () => {
  const { id } = await start('2s');
  await until(async () => {
    await callFor('risk-low');
    return (await robot.api.run(id)).endedAt !== null;
  });
  const { conditions } = (await robot.api.run(id)).modules[0]!;
  expect(conditions[0]).toMatchObject({
    id: 'W2.a.result',
    result: 'NOT-RECEIVED',
    fields: [{ field: 'accountNumber', got: expect.stringMatching(/^0x/) }],
  });
}, 60_000);

test('nobody acts: what was wanted names own customers by id, and says all about the listed originator', async () => {
  const modules = ['W4.1', 'W3.g'];
  const { id } = await robot.api.startRun({ symbols: ['ETH'], modules, customers: CUSTOMERS, wait: '1s' });
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  const { body } = await robot.api.call<RunReport>('GET', `/sandbox/v1/runs/${id}/report.json`);
  expect(JSON.stringify(body)).not.toContain('Barnes');
  expect(body.modules.map(({ conditions }) => conditions.map(({ expected }) => expected).join(''))).toEqual([
    expect.stringMatching(/ by your customer main\.$/),
    expect.stringMatching(/ by Pablo Escobar, born on 1949-12-01 in Colombia\.$/),
  ]);
}, 60_000);

test('a module that nobody plays leaves no fault behind', async () => {
  const modules = ['W3.i', 'W3.j', 'W3.k', 'W4.5', 'C7'];
  const { id } = await robot.api.startRun({ symbols: ['ETH'], modules, unattended: true, wait: '1s' });
  await until(async () => (await robot.api.run(id)).endedAt !== null);
  const run = await robot.api.run(id);
  expect(run.modules.map(({ result, faults }) => [result, faults])).toEqual(modules.map(() => ['SKIPPED', undefined]));
  expect((await robot.api.faults()).faults).toEqual([]);
}, 60_000);

test('a run with one unknown module is refused: nobody takes it for tested', async () => {
  const order = robot.api.startRun({ plan: 'withdrawal', modules: ['W1', 'W9.9', 'W2'] });
  await expect(order).rejects.toThrow('`modules` should name modules of this plan. W9.9 is none of W1, W3.z');
  const others = robot.api.startRun({ plan: 'withdrawal', modules: ['W1', 'D1'] });
  await expect(others).rejects.toThrow('`modules` should name modules of this plan. D1 is none of');
  const list = robot.api.plans({ module: 'W9.9' });
  await expect(list).rejects.toThrow('`module` should name modules of this plan. W9.9 is none of W1');
});
