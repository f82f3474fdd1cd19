import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { SandboxDeps } from '../deps.ts';
import { presentCallback } from './list.ts';

/** Sends a callback again. Throws `Refusal` not-found. */
export function replayCallback(deps: SandboxDeps, id: string, vaspId: CallerId) {
  if (!/^\d{1,15}$/.test(id)) throw refusals.notFound(`Callback(${id.slice(0, 64)})`);
  const row = deps.enclave.replayCallback(Number(id), vaspId);
  return presentCallback(row, deps.enclave.callbackAttempts([row]));
}
