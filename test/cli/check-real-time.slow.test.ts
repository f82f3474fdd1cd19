import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { RunReport } from '../../src/contract/plans.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { program } from '../support/process/program.ts';

test('in real time the robot asks by itself when its queries are due soon', async () => {
  const waits = { INQUIRY_WAIT: '1s', INQUIRY_INTERVAL: '1s', INQUIRY_WINDOW: '2s' };
  const own = await program({ ...PATIENT, ...waits });
  onTestFinished(() => own.close());
  await own.start();
  await client(own.url).switchReferenceVasp(true);
  const report = join(own.folder, 'report.json');
  const order = ['--unattended', '--clock', 'real', '--symbol', 'ETH', '--module', 'W4.2,W4.4'];
  const { code } = await robotVasp(['check', ...order, '--report', report], { ROBOT_VASP_URL: own.url });
  const { result, modules } = RunReport.parse(JSON.parse(await readFile(report, 'utf8')));
  expect([code, result]).toEqual([0, 'PASSED']);
  const hour = modules.find(({ id }) => id === 'W4.4')!;
  expect(hour.durationMs).toBeGreaterThanOrEqual(3_000);
  expect(hour.conditions.find(({ id }) => id === 'W4.4.not-sent')).toMatchObject({ got: '3 answers' });
  const calls = hour.exchanges.filter(({ direction }) => direction === 'OUT').map(({ operation }) => operation);
  expect(calls).toEqual(['callback', ...Array(3).fill('transactionStatus')]);
});
