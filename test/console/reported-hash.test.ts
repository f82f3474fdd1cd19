import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { prepare } from '../../src/console/send/prepare.ts';

/** A verification as the API lists it, as far as the form reads it. */
const api = (verification: object) =>
  ({
    info: async () => ({ vasp: { vaspId: '1' }, users: [] }),
    verifications: async () => ({ verifications: [{ verificationUuid: 'u', ...verification }] }),
    transfers: async () => ({ transfers: [{ txHash: '0xpaid' }] }),
  }) as unknown as Client;

test.each([
  ['a deposit', { role: 'beneficiary', result: 'VERIFIED' }, 'robot-report-tx'],
  ['a withdrawal that an error report has ended', { role: 'originating', result: 'ERROR' }, 'report-transaction'],
])('Send offers the hash that was reported: %s', async (_, verification, action) => {
  const { values } = await prepare(api({ ...verification, txHash: '0xreported' }), { action });
  expect(values.txHash).toBe('0xreported');
});

test('Send offers the hash of the robot’s payment before a report', async () => {
  const { values } = await prepare(api({ role: 'beneficiary', result: 'VERIFIED', txHash: null }), {
    action: 'robot-report-tx',
  });
  expect(values.txHash).toBe('0xpaid');
});
