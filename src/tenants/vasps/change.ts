import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import * as closing from '../../db/closing.ts';
import { truncateLog } from '../../db/compact.ts';
import { write } from '../../db/transaction.ts';
import { sleep, toIso } from '../../kernel/clock.ts';
import { runInParts } from '../../kernel/turns.ts';
import { forgetData } from '../../sandbox/delete-data.ts';
import { deleteFinal } from '../../sandbox/delete-final.ts';
import type { TenantsDeps } from '../deps.ts';
import * as invitations from '../invitation-store.ts';
import { isOver } from '../key-store.ts';
import { claimByOperator } from '../trials/trial.ts';
import { readQuotas, trialEndOf } from '../usage.ts';
import type { TenantPatch, TenantsQuery } from './schema.ts';
import { inOrder, type Tenant } from './store.ts';

/** Throws `Refusal` not-found. */
export function requireTenant({ tenants }: TenantsDeps, vaspId: string): Tenant {
  const tenant = tenants.find(vaspId);
  if (!tenant || tenant.forgottenAt !== null || tenants.isClosing(vaspId))
    throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  return tenant;
}

/**
 * A suspension closes the open streams of the VASP at once and ends its runs. Callbacks and status queries to it wait for
 * the end of the suspension. Throws `Refusal` not-found, invalid-field.
 */
export async function changeTenant(
  deps: TenantsDeps,
  vaspId: string,
  { suspended, quotas, claimed }: z.output<typeof TenantPatch>,
  address: string,
) {
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
  const common = { at: deps.now(), role: 'operator', vaspId, key: null, address, outcome: 200 } as const;
  for (const entry of entries) deps.audit.add({ ...common, ...entry });
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

/** In the order of registration. A position stays one when its VASP is forgotten: an id is taken for ever. */
export function listTenants(deps: TenantsDeps, { after, limit }: z.output<typeof TenantsQuery>) {
  const from = after === undefined ? undefined : deps.tenants.find(after);
  if (after !== undefined && !from) throw refusals.invalidField('after', 'should be a position from a previous answer');
  const behind = deps.tenants.all().filter(tenant => !from || inOrder(from, tenant) < 0);
  const page = behind.slice(0, limit);
  return {
    tenants: page.map(tenant => presentTenant(deps, tenant)),
    next: limit < behind.length ? page.at(-1)!.vaspId : null,
  };
}

/** The answer waits this long for what is under way. The rest of the work goes on without it. */
const WAITED_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/**
 * Deletes everything that tells of the VASP and of its persons. Money stays: deposits and transfers without accounts of
 * persons. A transfer under way keeps its account until it is final: until then the VASP is closing. The id stays taken.
 * Throws `Refusal` not-found.
 */
export async function forget(deps: TenantsDeps, vaspId: string): Promise<{ result: true }> {
  if (!deps.tenants.isClosing(vaspId)) requireTenant(deps, vaspId);
  close(deps, vaspId);
  const until = deps.elapsed() + WAITED_MS;
  while (!(await deleteAll(deps, vaspId)) && deps.elapsed() < until) await sleep(LOOK_AGAIN_MS);
  return { result: true };
}

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
