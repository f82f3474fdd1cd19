import { later } from '../kernel/interval.ts';

/** A failure of the node that the caller has ordered for one of its calls. */
export type RpcFault =
  | { readonly mode: 'delay'; readonly delayMs: number }
  | { readonly mode: 'drop' | 'never-answer' }
  | { readonly mode: 'error'; readonly code?: string | undefined; readonly message?: string | undefined };

export type RpcRefused = Extract<RpcFault, { mode: 'error' }>;

/** The connection is closed without an answer. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A client has given up long before. */
const LONGEST_SILENCE_MS = 120_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => void later(ms, resolve));

/** Serves a call as the fault orders. `refuse`: its answer with an error. Throws `ConnectionLost`. */
export async function withFault<T>(
  fault: RpcFault | undefined,
  serve: () => T | Promise<T>,
  refuse: (fault: RpcRefused) => T | Promise<T>,
): Promise<T> {
  if (fault?.mode === 'error') return refuse(fault);
  const answer = await serve();
  if (fault?.mode === 'delay') await pause(fault.delayMs);
  if (fault?.mode === 'never-answer') await pause(LONGEST_SILENCE_MS);
  if (fault?.mode === 'drop' || fault?.mode === 'never-answer') throw new ConnectionLost();
  return answer;
}
