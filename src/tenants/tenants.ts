import type * as z from 'zod';
import { type Refusal, refusals } from '../contract/refusals.ts';
import { asCaller, QUOTA_NAMES, type QuotaName } from '../contract/tenancy.ts';
import { truncateLog } from '../db/archive.ts';
import * as closing from '../db/closing.ts';
import { schemaVersion } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import type { SealedVasp } from '../enclave/control.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { sleep, toIso } from '../kernel/clock.ts';
import { decimalText } from '../kernel/decimal.ts';
import { StartProblem } from '../kernel/program.ts';
import { runInParts } from '../kernel/turns.ts';
import { forgetData } from '../sandbox/clock.ts';
import { deleteFinal } from '../sandbox/delete-final.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { presentVasp, requireAllowed } from '../sandbox/vasps.ts';
import { wholePayload } from '../timers/registry.ts';
import type { TenantsDeps } from './deps.ts';
import { addKey } from './keys.ts';
import { claimByOperator } from './registrations.ts';
import * as invitations from './store.ts';
import { inOrder, isOver, type Tenant } from './store.ts';
import { DAILY, readQuotas, trialEndOf } from './usage.ts';
import { importRows, type RowsOfVasp, rowsOfVasp } from './vasps/move-store.ts';
import { EXPORT_FORMAT, type TenantImport, tenantCalls } from './vasps/schema.ts';

const MAX_IMPORTED_BYTES = 256 * 1024 * 1024;
const MAX_IMPORTED_ROWS = 1_000_000;

export const tenantEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(tenantCalls.tenants, {
    access: 'operator',
    summary: 'List the VASPs of this sandbox with the use of their quotas',
    // In the order of registration. A position stays one when its VASP is forgotten: an id is taken for ever.
    run({ query: { after, limit } }) {
      const from = after === undefined ? undefined : deps.tenants.find(after);
      if (after !== undefined && !from)
        throw refusals.invalidField('after', 'should be a position from a previous answer');
      const behind = deps.tenants.all().filter(tenant => !from || inOrder(from, tenant) < 0);
      const page = behind.slice(0, limit);
      return {
        tenants: page.map(tenant => presentTenant(deps, tenant)),
        next: limit < behind.length ? page.at(-1)!.vaspId : null,
      };
    },
  }),
  control(tenantCalls.importTenant, {
    access: 'operator',
    refusals: ['already-registered', 'address-not-allowed'],
    // With everything but its money and its runs. It gets a new key, because the key names the cell.
    summary: 'Take over a suspended VASP of another cell from its export; its new key is shown once',
    maxBytes: MAX_IMPORTED_BYTES,
    maxElements: MAX_IMPORTED_ROWS,
    run({ body }) {
      const { vaspId } = body.vasp;
      requireMovable(deps, body);
      const answer = explained(() =>
        write(deps.db, tx => {
          takeOver(deps, tx, body);
          const { apiKey } = addKey(deps, tx, { vaspId, name: 'first key', scope: 'full', lifetimeMs: null });
          return { vaspId, apiKey };
        }),
      );
      deps.sandbox.enclave.recoverCallbacks(vaspId);
      return answer;
    },
  }),
  control(tenantCalls.changeTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Suspend a VASP, change its quotas, or claim its trial',
    // A suspension closes the open streams at once and ends the runs. Callbacks and status queries wait for its end.
    async run({ body: { suspended, quotas, claimed }, params: { vaspId }, address }) {
      const tenant = requireTenant(deps, vaspId);
      if (claimed) claimByOperator(deps, vaspId, { role: 'operator', key: null, address });
      const own = Object.entries({ ...tenant.quotas, ...quotas }).filter(([, value]) => value != null);
      const suspendedAt =
        suspended === undefined ? tenant.suspendedAt : suspended ? (tenant.suspendedAt ?? deps.now()) : null;
      write(deps.db, tx => {
        deps.tenants.change(tx, vaspId, { quotas: Object.fromEntries(own), suspendedAt });
        const registration = deps.sandbox.enclave.findVasp(vaspId);
        if (registration && registration.isActive !== (suspendedAt === null))
          deps.sandbox.enclave.saveVasp({ ...registration, isActive: suspendedAt === null });
        if (suspendedAt !== null || tenant.suspendedAt === null) return;
        deps.sandbox.enclave.recoverCallbacks(vaspId);
        deps.sandbox.robot.resumeInquiries(tx, vaspId);
      });
      auditChange(deps, tenant, requireTenant(deps, vaspId), address);
      if (suspendedAt !== null) {
        closeConnections(deps, vaspId);
        await deps.sandbox.runs.stopOf(vaspId);
      }
      return presentTenant(deps, requireTenant(deps, vaspId));
    },
  }),
  control(tenantCalls.exportTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Export everything about a VASP and its persons; its secrets are encrypted with DATA_KEY',
    // Keys are not in it. Tokens, secrets and endpoints are encrypted, so that another cell can go on.
    run({ params: { vaspId } }) {
      const { registeredAt, suspendedAt, quotas } = requireTenant(deps, vaspId);
      const { clock, enclave, exchanges } = deps.sandbox;
      // The newest exchanges may still wait to be written.
      exchanges.listOf(asCaller(vaspId), { limit: 1 });
      return {
        format: EXPORT_FORMAT,
        schema: schemaVersion(deps.db),
        cell: deps.settings.cell,
        exportedAt: toIso(deps.now()),
        isSuspended: suspendedAt !== null,
        vasp: { ...presentVasp(enclave.findVasp(vaspId)!), registeredAt: toIso(registeredAt) },
        sealed: enclave.sealedVasp(vaspId),
        quotas,
        usedToday: Object.fromEntries(DAILY.map(name => [name, Number(deps.usage.usedToday(vaspId, name))])),
        aheadMs: clock.aheadOf(vaspId),
        ...rowsOfVasp(deps.db, vaspId),
      };
    },
  }),
  control(tenantCalls.forgetTenant, {
    access: 'operator',
    refusals: ['not-found'],
    summary: 'Forget a VASP: its persons, endpoints, keys and exchanges are deleted; its id stays taken',
    // Money stays, without accounts of persons. A transfer under way keeps its account until it is final: until then the
    // VASP is closing.
    async run({ params: { vaspId } }) {
      if (!deps.tenants.isClosing(vaspId)) requireTenant(deps, vaspId);
      close(deps, vaspId);
      const until = deps.elapsed() + WAITED_MS;
      while (!(await deleteAll(deps, vaspId)) && deps.elapsed() < until) await sleep(LOOK_AGAIN_MS);
      return { result: true as const };
    },
  }),
];

type Export = z.output<typeof TenantImport>;
/** The rows as `exportTenant` writes them. */
type Moved = { sealed: SealedVasp } & RowsOfVasp;

function requireMovable(deps: TenantsDeps, request: Export): void {
  const { vasp, schema, isSuspended, transfers, runs } = request;
  const tenant = deps.tenants.find(vasp.vaspId);
  const isForgotten = tenant !== undefined && tenant.forgottenAt !== null;
  if (!isForgotten && (tenant || deps.sandbox.enclave.findVasp(vasp.vaspId)))
    throw refusals.alreadyRegistered(vasp.vaspId, 'Forget it here before you take it over from an export.');
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
  for (const { kind, key, payload, ...timer } of timers)
    pending.schedule(tx, kind, { ...timer, payload: wholePayload(kind, key, payload) });
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

/** Throws `Refusal` not-found. */
export function requireTenant({ tenants }: TenantsDeps, vaspId: string): Tenant {
  const tenant = tenants.find(vaspId);
  if (!tenant || tenant.forgottenAt !== null || tenants.isClosing(vaspId))
    throw refusals.notFound('VASP', vaspId, '/sandbox/v1/tenants');
  return tenant;
}

/** One entry for each thing that has changed. */
function auditChange(deps: TenantsDeps, before: Tenant, after: Tenant, address: string): void {
  const { vaspId } = after;
  const value = ({ quotas }: Tenant, name: QuotaName) => quotas[name] ?? 'as configured';
  const entries = QUOTA_NAMES.filter(name => before.quotas[name] !== after.quotas[name]).map(name => ({
    action: `quota ${name}`,
    target: `${vaspId}: ${value(before, name)} → ${value(after, name)}`,
  }));
  if ((before.suspendedAt === null) !== (after.suspendedAt === null))
    entries.push({ action: after.suspendedAt === null ? 'resumed' : 'suspended', target: vaspId });
  for (const entry of entries) deps.audit.add({ role: 'operator', vaspId, address, ...entry });
}

function closeConnections({ keys, connections }: TenantsDeps, vaspId: string): void {
  for (const { id } of keys.ofVasp(vaspId)) connections.close(id);
}

function presentTenant(deps: TenantsDeps, { vaspId, suspendedAt, registeredAt }: Tenant) {
  const registration = deps.sandbox.enclave.findVasp(vaspId);
  const keys = deps.keys.ofVasp(vaspId).filter(key => !isOver(key, deps.now()));
  const lastSeenAt = Math.max(0, ...keys.map(key => key.lastUsedAt ?? 0));
  return {
    vaspId,
    name: registration?.name ?? vaspId,
    suspended: suspendedAt !== null,
    trialEndsAt: trialEndOf(deps, vaspId),
    health: registration?.health ?? ('UP' as const),
    registeredAt: toIso(registeredAt),
    lastSeenAt: lastSeenAt === 0 ? null : toIso(lastSeenAt),
    keys: keys.length,
    quotas: readQuotas(deps, vaspId),
  };
}

/** The answer waits this long for what is under way. The rest of the work goes on without it. */
const WAITED_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** From here on nobody calls for the VASP, and nothing is written for it. */
export function close(deps: TenantsDeps, vaspId: string): void {
  const { enclave } = deps.sandbox;
  write(deps.db, tx => {
    enclave.saveVasp({ ...enclave.findVasp(vaspId)!, isActive: false });
    closing.close(tx, vaspId);
    deps.keys.remove(tx, deps.keys.ofVasp(vaspId));
    deps.sandbox.timers.deleteAll(tx, vaspId);
    const trial = deps.trials.find(vaspId);
    if (trial) deps.trials.move(tx, trial, 'ended', deps.now(), 'the operator forgot the VASP');
  });
}

/** Goes on with those that are closing: a transfer has become final, or the process ended in between. */
export async function forgetClosing(deps: TenantsDeps, vaspId: string): Promise<void> {
  if (!deps.sandbox.robot.hasTransferUnderWay(vaspId)) await deleteAll(deps, vaspId);
}

/** In parts, because much data would keep the others waiting. False: something is under way that may still write. */
async function deleteAll(deps: TenantsDeps, vaspId: string): Promise<boolean> {
  const { db, sandbox, tenants, now } = deps;
  await sandbox.runs.stopOf(vaspId);
  if (isUnderWay(deps, vaspId)) return false;
  await runInParts(deleteFinal(sandbox, vaspId, Number.MAX_SAFE_INTEGER));
  await runInParts(sandbox.exchanges.removeOld(vaspId, Number.MAX_SAFE_INTEGER));
  if (isUnderWay(deps, vaspId)) return false;
  const isFinal = write(db, tx => {
    forgetData(sandbox, tx, vaspId);
    deps.usage.removeOf(tx, vaspId);
    deps.trials.forget(tx, vaspId);
    invitations.forgetNames(tx, vaspId);
    deps.audit.forgetDetails(tx, vaspId);
    tenants.change(tx, vaspId, { quotas: {} });
    // One that becomes final later still has its recipient.
    return !sandbox.robot.hasTransferUnderWay(vaspId);
  });
  // From here on nothing that others read names it.
  await runInParts(sandbox.exchanges.removeNaming(vaspId));
  truncateLog(db);
  if (isFinal) write(db, tx => tenants.change(tx, vaspId, { forgottenAt: now() }));
  return true;
}

/** A request of the VASP, or a call about one of its verifications, that has not ended. */
const isUnderWay = ({ underWay, sandbox }: TenantsDeps, vaspId: string): boolean =>
  underWay.of(vaspId) > 0 ||
  sandbox.timers
    .running()
    .some(
      ({ owner, verificationUuid }) =>
        owner === vaspId || (verificationUuid !== null && sandbox.enclave.isPartyTo(vaspId, verificationUuid)),
    );
