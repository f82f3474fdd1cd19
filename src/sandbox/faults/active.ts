import type * as z from 'zod';
import { isIn } from '../../contract/parts.ts';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { FaultRow } from '../../fault-injection/store.ts';
import {
  FAULT_TARGET_NAMES,
  FAULT_TARGETS,
  type FaultMode,
  type FaultParameter,
  type FaultTarget,
  modesOf,
  REORDER_WITHIN_MS,
} from '../../fault-injection/targets.ts';
import { toIso } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { SandboxDeps } from '../deps.ts';
import type { FaultRequest } from './schema.ts';

export const listFaults = async (deps: SandboxDeps, caller: CallerId) => ({
  faults: deps.faults.active(caller).map(presentFault),
  controls: (
    await Promise.all(
      Object.values(deps.networks).map(async ({ symbol, activeControls }) =>
        (await activeControls()).map(control => ({ symbol, control })),
      ),
    )
  ).flat(),
  targets: FAULT_TARGET_NAMES.map(target => ({ target, modes: modesOf(target) })),
});

export function presentFault(row: FaultRow) {
  const [target, mode] = [row.target as FaultTarget, row.mode as FaultMode];
  const { delayMs, ...rest } = row.parameters as { delayMs?: number; status?: number; code?: string; message?: string };
  return {
    id: String(row.id),
    target,
    verificationUuid: row.verificationUuid,
    mode,
    times: row.times,
    used: row.used,
    left: row.times === null ? null : row.times - row.used,
    parameters: { ...rest, ...(delayMs === undefined ? {} : { delay: formatDuration(delayMs) }) },
    createdAt: toIso(row.createdAt),
    meaning: FAULT_TARGETS[target].modes[mode]!.meaning,
  };
}

const PARAMETERS: readonly FaultParameter[] = ['delay', 'status', 'code', 'message'];

/** Orders a fault. It replaces one of the same target, verification and mode. Throws `Refusal` invalid-field. */
export function addFault(deps: SandboxDeps, request: z.output<typeof FaultRequest>, caller: CallerId) {
  refuseElsewhere(deps, request.target);
  refuseImpossible(request);
  const { target, mode, verificationUuid, times } = request;
  if (verificationUuid !== undefined) deps.enclave.requireParties(verificationUuid, caller);
  const row = deps.faults.add({
    vaspId: caller,
    target,
    mode,
    verificationUuid: verificationUuid ?? null,
    times: times ?? null,
    parameters: parametersOf(request),
    createdAt: deps.clock.now(caller),
  });
  if (!row)
    throw refusals.invalidField(
      'target',
      `is refused because ${deps.faults.most} faults are active already. Remove one first`,
    );
  return presentFault(row);
}

/** In another process nothing would ever meet the fault. */
function refuseElsewhere({ parts }: SandboxDeps, target: FaultTarget): void {
  const home = /^(answer\.)?robot[.-]|^devnet/.test(target)
    ? 'robot'
    : target.startsWith('answer.')
      ? 'enclave'
      : 'all';
  if (!isIn(home, parts))
    throw refusals.invalidField('target', `is of the ${home}, which is another process: order the fault there`);
}

/** Refuses impossible combinations. The text names the member and the possible values. */
function refuseImpossible(request: z.output<typeof FaultRequest>): void {
  const { target, mode, delay, status, verificationUuid } = request;
  const { hasVerification, longestDelayMs } = FAULT_TARGETS[target];
  const possible = modesOf(target);
  const chosen = possible.find(each => each.mode === mode);
  if (!chosen)
    throw refusals.invalidField('mode', `${impossibleAt(target)} ${quoted(possible.map(each => each.mode))}`);
  for (const name of PARAMETERS)
    if (request[name] !== undefined && !chosen.parameters.includes(name))
      throw refusals.invalidField(
        name,
        `is not possible with ${target} and ${mode}: ${usableParameters(chosen.parameters)}`,
      );
  if (mode === 'delay' && delay === undefined) throw refusals.missingField('delay');
  if (mode === 'status' && status === undefined) throw refusals.missingField('status');
  if (delay !== undefined && (delay < 1 || delay > longestDelayMs))
    throw refusals.invalidField('delay', `should be from 1ms to ${formatDuration(longestDelayMs)} here`);
  if (verificationUuid !== undefined && !hasVerification)
    throw refusals.invalidField('verificationUuid', `is not possible with ${target}: there is no verification yet`);
}

const impossibleAt = (target: FaultTarget): string => `is not possible at ${target}. Possible are`;
const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ');
const usableParameters = (names: readonly string[]): string =>
  names.length === 0 ? 'there are no parameters' : `the parameters are ${quoted(names)}`;

function parametersOf({ mode, delay, status, code, message }: z.output<typeof FaultRequest>): object {
  if (mode === 'reorder') return { delayMs: delay ?? REORDER_WITHIN_MS };
  return mode === 'delay' ? { delayMs: delay } : { status, code, message };
}
