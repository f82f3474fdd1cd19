import { replay } from '../../enclave/callbacks/replay.ts';
import type { SandboxDeps } from '../deps.ts';
import { presentCallback } from './list.ts';

/** Sends a callback again. Throws `Refusal` not-found. */
export function replayCallback(deps: SandboxDeps, id: string, vaspId: string) {
  const row = replay(deps.enclave, /^\d{1,15}$/.test(id) ? Number(id) : -1, vaspId);
  return presentCallback(row, deps.enclave.callbacks.attemptsOf([row.id]));
}
