import type * as z from 'zod';
import { type Refusal, refusals } from '../../contract/refusals.ts';
import { asCaller } from '../../contract/tenancy.ts';
import * as closing from '../../db/closing.ts';
import { schemaVersion } from '../../db/open.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { SealedVasp } from '../../enclave/control.ts';
import { decimalText } from '../../kernel/decimal.ts';
import { StartProblem } from '../../kernel/program.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import { requireAllowed } from '../../sandbox/vasps.ts';
import type { TenantsDeps } from '../deps.ts';
import { addKey } from '../keys.ts';
import { DAILY } from '../usage/quotas.ts';
import { importRows, type RowsOfVasp } from './move-store.ts';
import type { TenantImport } from './schema.ts';

type Export = z.output<typeof TenantImport>;
/** The rows as `exportTenant` writes them. */
type Moved = { sealed: SealedVasp } & RowsOfVasp;

/**
 * Takes over a VASP of another cell from its export, with everything but its money and its runs. It gets a new key,
 * because the key names the cell. Throws `Refusal` already-registered, address-not-allowed, invalid-field.
 */
export function importTenant(deps: TenantsDeps, request: Export): { vaspId: string; apiKey: string } {
  const { vaspId } = request.vasp;
  requireMovable(deps, request);
  const answer = explained(() =>
    write(deps.db, tx => {
      takeOver(deps, tx, request);
      const { apiKey } = addKey(deps, tx, { vaspId, name: 'first key', scope: 'full', lifetimeMs: null });
      return { vaspId, apiKey };
    }),
  );
  deps.sandbox.enclave.recoverCallbacks(vaspId);
  return answer;
}

function requireMovable(deps: TenantsDeps, request: Export): void {
  const { vasp, schema, isSuspended, transfers, runs } = request;
  const tenant = deps.tenants.find(vasp.vaspId);
  const isForgotten = tenant !== undefined && tenant.forgottenAt !== null;
  if (!isForgotten && (tenant || deps.sandbox.enclave.findVasp(vasp.vaspId)))
    throw refusals.alreadyRegistered(vasp.vaspId);
  if (schema !== schemaVersion(deps.db))
    throw refusals.invalidField('schema', 'is of another version of robot-vasp: update both cells to one version');
  if (!isSuspended)
    throw refusals.invalidField('isSuspended', 'is false: suspend the VASP in its cell, and export it again');
  const open = transfers.find(({ status }) => status !== 'CONFIRMED' && status !== 'CANCELED');
  if (open)
    throw refusals.invalidField(
      'transfers',
      `has one that is under way (${open.verificationUuid}): export the VASP again when it is final`,
    );
  if (runs.some(({ endedAt }) => endedAt === null))
    throw refusals.invalidField('runs', 'has one that is under way: export the VASP again when it has ended');
}

function takeOver(deps: TenantsDeps, tx: Tx, request: Export): void {
  const { vasp, cell, quotas, usedToday, aheadMs } = request;
  const { vaspId } = vasp;
  const moved = request as unknown as Moved;
  const { clock, enclave, faults, robot, timers } = deps.sandbox;
  closing.reopen(tx, vaspId);
  const { endpoints } = enclave.adoptVasp(tx, moved.sealed);
  requireAllowed(deps.sandbox, endpoints);
  const values = { registeredAt: Date.parse(vasp.registeredAt), quotas, suspendedAt: null, forgottenAt: null };
  deps.tenants.save(tx, { vaspId, ...values });
  for (const name of DAILY) deps.usage.spend(tx, vaspId, name, decimalText(usedToday[name] ?? 0));
  clock.moveTo(tx, vaspId, clock.machineNow() + aheadMs);
  importRows(tx, moved);
  robot.stopExpectations(tx, vaspId, `the VASP came from the cell ${cell}, whose robot has this address`);
  addUsers(robot, moved, vaspId);
  addFaults(faults, moved);
  addTimers(timers, tx, moved);
}

function addUsers(robot: SandboxDeps['robot'], { users }: Moved, vaspId: string): void {
  const caller = asCaller(vaspId);
  for (const { id, user, isRemoved } of users)
    if (isRemoved) robot.removeUser(id, caller);
    else robot.putUser(id, user as Parameters<typeof robot.putUser>[1], caller);
}

function addFaults(ordered: SandboxDeps['faults'], { faults }: Moved): void {
  for (const { id: _, used, times, ...fault } of faults)
    if (times === null || used < times) ordered.add({ ...fault, times: times === null ? null : times - used });
}

function addTimers(pending: SandboxDeps['timers'], tx: Tx, { timers }: Moved): void {
  for (const { kind, key, owner, queue, dueAt, why, payload } of timers)
    pending.schedule(tx, kind, { key, owner, queue, dueAt, why, payload: payload as never });
}

/** Says in words why an export cannot be taken over. */
function explained<T>(take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw problemOf(error as Error & { code?: unknown });
  }
}

function problemOf(error: Error & { code?: unknown }): Refusal | Error {
  if (error instanceof StartProblem)
    return refusals.invalidField(
      'sealed',
      'is encrypted with another DATA_KEY: start this cell with DATA_KEY=<its own>,<that of the other cell>',
    );
  const isOfRows = error instanceof TypeError || /^SQLITE_(CONSTRAINT|MISMATCH)/.test(String(error.code));
  return isOfRows ? refusals.invalidField('format', `is no whole export (${error.message})`) : error;
}
