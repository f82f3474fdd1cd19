import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Customers } from '../../src/contract/customers.ts';
import { fileOf } from '../support/docs/manual.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';

interface StandIn {
  endpoints: Record<string, string>;
  driver: string;
  watch(enclave: string): void;
  close(): void;
}

async function printedVasp(customers: Customers['customers']): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-stand-in-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'stand-in.mjs');
  await writeFile(path, fileOf('A first deposit test', 'stand-in.mjs'));
  const { startVasp } = await import(path);
  return startVasp({ customers });
}

test('the VASP that the guide prints passes the deposit plan with the customers that it prints', async () => {
  const { customers }: Customers = JSON.parse(fileOf('A first deposit test', 'customers.json'));
  const vasp = await printedVasp(customers);
  onTestFinished(() => vasp.close());
  const robot = await planSandbox(PATIENT);
  onTestFinished(() => robot.close());
  const { vaspId } = robot.info.vasp;
  await robot.api.call('PATCH', `/sandbox/v1/vasps/${vaspId}`, { endpoints: vasp.endpoints });
  vasp.watch(robot.url);
  const settings = { plan: 'deposit', symbols: ['ETH'], wait: '20s', inquiryWait: '20s' };
  const report = await runAgainst(robot.api, { ...settings, customers: { customers }, driver: { url: vasp.driver } });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  const skipped = report.modules.filter(({ result, applies = true }) => result === 'SKIPPED' && applies);
  expect(skipped.map(({ id }) => id).sort()).toEqual(['D1.e', 'D1.h', 'D15', 'D2.i', 'D2.l']);
}, 120_000);
