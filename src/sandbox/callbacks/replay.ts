import type { CallerId } from '../../contract/tenancy.ts';
import type { SandboxDeps } from '../deps.ts';
import { presentCallback } from './list.ts';

/** Sends a callback again. Throws `Refusal` not-found. */
export function replayCallback(deps: SandboxDeps, id: string, vaspId: CallerId) {
  const row = deps.enclave.replayCallback(/^\d{1,15}$/.test(id) ? Number(id) : -1, vaspId);
  return presentCallback(row, deps.enclave.callbackAttempts([row]));
}
