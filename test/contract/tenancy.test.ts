import { expect, test } from 'vitest';
import { asCaller, type Scoped, scopedRow } from '../../src/contract/tenancy.ts';
import type { EnclaveControl } from '../../src/enclave/control.ts';
import type { Enclave } from '../../src/enclave/port.ts';
import type { RobotControl } from '../../src/robot/control.ts';
import type { ExchangeStore } from '../../src/sandbox/exchanges/store.ts';
import type { Timers } from '../../src/timers/timers.ts';

type Reads = Pick<EnclaveControl, 'requireParties' | 'countOrdered' | 'callbackAttempts'> &
  Pick<RobotControl, 'listBalances' | 'findTransfers' | 'findExpectations'> &
  Pick<ExchangeStore, 'listOf' | 'ofVerification'> &
  Pick<Timers, 'pending' | 'countPending'> &
  Pick<Enclave, 'get' | 'list'>;

/** Each directive fails the type check when the line below it compiles. Never called. */
function readsWithoutCaller(reads: Reads, path: { vaspId: string; uuid: string }): void {
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.listBalances(path.vaspId);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.requireParties(path.uuid, path.vaspId);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.listOf(path.vaspId, { limit: 1 });
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.countOrdered(path.vaspId);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.pending(path.vaspId);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.countPending(path.vaspId, 1);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.get(path.uuid, path.vaspId);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.list({ page: 0, rpp: 1 }, path.vaspId);
  // @ts-expect-error The caller is missing.
  reads.listBalances();
  // @ts-expect-error The UUID was not read for a caller.
  reads.findTransfers([path.uuid]);
  // @ts-expect-error The UUID was not read for a caller.
  reads.findExpectations([path.uuid]);
  // @ts-expect-error A vaspId of a path is not the caller.
  reads.ofVerification(path.vaspId, { verificationUuid: path.uuid as Scoped<string>, limit: 1 });
  // @ts-expect-error The UUID was not read for a caller.
  reads.ofVerification(asCaller(path.vaspId), { verificationUuid: path.uuid, limit: 1 });
  // @ts-expect-error The id was not read for a caller.
  reads.callbackAttempts([1]);

  const { verificationUuid } = reads.requireParties(path.uuid, asCaller(path.vaspId));
  reads.findTransfers([verificationUuid]);
}

test('the guard of tenancy costs nothing when the program runs', () => {
  const row = { uuid: 'u' };
  expect(asCaller('1')).toBe('1');
  expect(scopedRow('uuid')(row)).toBe(row);
  expect(readsWithoutCaller).toBeTypeOf('function');
});
