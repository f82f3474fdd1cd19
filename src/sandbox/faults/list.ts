import type { CallerId } from '../../contract/tenancy.ts';
import type { FaultRow } from '../../fault-injection/store.ts';
import {
  FAULT_TARGET_NAMES,
  FAULT_TARGETS,
  type FaultMode,
  type FaultTarget,
  modesOf,
} from '../../fault-injection/targets.ts';
import { toIso } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { SandboxDeps } from '../deps.ts';

export const listFaults = async (deps: Pick<SandboxDeps, 'faults' | 'networks'>, caller: CallerId) => ({
  faults: deps.faults.active(caller).map(presentFault),
  knobs: (
    await Promise.all(
      Object.values(deps.networks).map(async ({ symbol, turnedKnobs }) =>
        (await turnedKnobs()).map(knob => ({ symbol, knob })),
      ),
    )
  ).flat(),
  targets: FAULT_TARGET_NAMES.map(target => ({ target, modes: modesOf(target) })),
});

export function presentFault(row: FaultRow) {
  const [target, mode] = [row.target as FaultTarget, row.mode as FaultMode];
  const { delayMs, ...rest } = row.parameters as {
    delayMs?: number;
    status?: number;
    code?: string;
    message?: string;
  };
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
