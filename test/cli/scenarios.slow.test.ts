import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { operating } from '../support/process/operating.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

const world = await forFile(createProgramWorld());

const { ran, answer, entries, refusal } = operating(() => world.url);

test('scenarios lists the catalogue; one of them is a request that does what it says', async () => {
  interface Entry {
    id: string;
    how: string;
    requests?: Record<string, object>;
  }
  const scenarios = await entries<Entry>('scenarios');
  const { stdout } = await ran('scenarios');
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => line.split('  ')[0]),
  ).toEqual(scenarios.map(({ id }) => id));

  const id = 'verify-user: MISMATCHED-NAME';
  const entry = scenarios.find(each => each.id === id);
  // The time of the price is that of the answer.
  const assetInfo = { symbol: 'XRP', tradeISODatetime: expect.any(String) };
  const body = Object.assign({}, entry?.requests?.XRP, { assetInfo: expect.objectContaining(assetInfo) });
  expect(await answer('scenarios', id, '--symbol', 'XRP')).toMatchObject({
    id,
    symbol: 'XRP',
    requests: [{ method: 'POST', path: '/v1/verifications', body }],
  });
  const curl = (await ran('scenarios', id)).stdout;
  expect(curl).toContain(entry?.how);
  const sent = await promisify(execFile)('bash', ['-c', curl]);
  const { verificationUuid } = JSON.parse(sent.stdout) as { verificationUuid: string };
  const result = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  expect(result).toMatchObject({ verificationResult: 'DENIED', reason: 'MISMATCHED-NAME' });

  const { code, stderr } = await ran('scenarios', 'verify-user: NOTHING');
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no scenario `verify-user: NOTHING`')]);
});

test.each(['report: WRONG-AMOUNT', 'report: NOT-FINAL', 'report: REVERTED'])(
  'the script of %s plays every step',
  async id => {
    const script = (await ran('scenarios', id)).stdout;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const { verifications } = JSON.parse(stdout.trim().split('\n').at(-1)!) as {
      verifications: { report: { verdict: string } }[];
    };
    expect(verifications.map(({ report }) => `report: ${report.verdict}`)).toEqual([id]);
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: false });
  },
);

test('a scenario with a fault orders it first', async () => {
  const scenarios = await entries<{ id: string; fault?: object }>('scenarios');
  const { id, fault } = scenarios.find(each => each.fault)!;
  const scenario = await answer<{ requests: object[] }>('scenarios', id);
  expect(scenario.requests[0]).toEqual({ method: 'PUT', path: '/sandbox/v1/faults', body: fault });
  const { stdout } = await ran('scenarios', id);
  expect(stdout).toContain(`curl -s -X PUT -H 'content-type: application/json' '${world.url}/sandbox/v1/faults' -d`);
});

test('a scenario of a registered VASP names its key by the variable alone', async () => {
  const { apiKey = '' } = await world.api.registerVasp('15952089931162059321', { name: 'Second' });
  const { stdout } = await robotVasp(['scenarios', 'verify-user: OK', '--api-key', apiKey, '--url', `${world.url}/`]);
  expect(stdout).not.toContain(apiKey);
  const { stdout: sent } = await promisify(execFile)('bash', ['-c', stdout], {
    env: { PATH: process.env.PATH, ROBOT_VASP_API_KEY: apiKey },
  });
  const { verificationUuid } = JSON.parse(sent) as { verificationUuid: string };
  expect((await ran('wait', '--result', 'VERIFIED', '--verification', verificationUuid)).code).toBe(4);
  const theirs = { ROBOT_VASP_URL: world.url, ROBOT_VASP_API_KEY: apiKey };
  const waited = await robotVasp(['wait', '--result', 'VERIFIED', '--verification', verificationUuid], theirs);
  expect([waited.code, linesOf(waited.stderr)]).toEqual([0, []]);
});

test('an unknown scenario: the nearest name is suggested', async () => {
  const suggestion = await refusal('scenarios', 'UNVERIFIED-KYC');
  expect(suggestion.failure.message).toContain('Did you mean `verify-user: UNVERIFIED-KYC`?');
});
