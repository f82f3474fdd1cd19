import { expect, test } from 'vitest';
import { CUSTOMERS } from '../support/plans/customer.ts';
import { planSandbox, runPlan } from '../support/plans/run-plan.ts';

test('a customer with an account of the robot is refused', async () => {
  await using robot = await planSandbox();
  const { users } = await robot.api.users();
  const [user] = users;
  const [customer] = CUSTOMERS.customers;
  const customers = { customers: [{ ...customer!, accounts: { ETH: user!.accounts.ETH.toLowerCase() } }] };
  const report = await runPlan(robot, { modules: ['D1.a'], symbols: ['ETH'], customers });
  expect(report.result).toBe('NOT-JUDGED');
  expect(report.problem?.message).toContain('which belongs to the robot');
});

test('a module whose customer is missing is skipped and says what to add', async () => {
  await using robot = await planSandbox();
  const modules = ['D1.e', 'D1.f', 'D2.i', 'D2.j'];
  const report = await runPlan(robot, { modules, symbols: ['ETH'], customers: CUSTOMERS });
  const company = 'Add a legal person with KYC and an account for ETH to the customers file.';
  const unknown = 'Add a natural person without KYC and an account for ETH to the customers file.';
  expect(report.modules.map(({ id, skippedBecause }) => [id, skippedBecause])).toEqual([
    ['D1.e', company],
    ['D1.f', unknown],
    ['D2.i', company],
    ['D2.j', unknown],
  ]);
});

test('a module without a symbol is played for the one that a natural person with KYC has an account for', async () => {
  await using robot = await planSandbox();
  const [customer] = CUSTOMERS.customers;
  const ofEth = { ...customer!, accounts: { ETH: customer!.accounts.ETH! } };
  const ofXrp = { ...customer!, accounts: { XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:7' } };
  const played: string[] = [];
  for (const customers of [[ofEth], [ofXrp], [ofEth, { ...ofXrp, id: 'without-kyc', kyc: false }]]) {
    const { modules } = await runPlan(robot, { modules: ['R7'], customers: { customers } });
    const [module] = modules;
    played.push(`${module?.result} ${module?.exchanges.find(({ operation }) => operation === 'verify-user')?.request}`);
  }
  const inSymbol = (symbol: string) => expect.stringMatching(new RegExp(`^PASSED .*"symbol":"${symbol}"`));
  expect(played).toEqual([inSymbol('ETH'), inSymbol('XRP'), inSymbol('ETH')]);
});
