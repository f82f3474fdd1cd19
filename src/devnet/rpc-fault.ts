import { later } from '../kernel/clock.ts';

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

/** Called once for each call. The error that it is answered with; undefined: it is served. */
export type RefusalOf = (method: string) => RpcRefused | undefined;

/** Answers a request. The fault of each call hits it; what concerns the answer happens when all are served. Throws `ConnectionLost`. */
export async function withFaults<T>(
  faultOn: (method: string) => RpcFault | undefined,
  serve: (refusalOf: RefusalOf) => T | Promise<T>,
): Promise<T> {
  const ofAnswer: Exclude<RpcFault, RpcRefused>[] = [];
  const answer = await serve(method => {
    const fault = faultOn(method);
    if (fault?.mode === 'error') return fault;
    if (fault) ofAnswer.push(fault);
    return undefined;
  });
  for (const fault of ofAnswer) {
    if (fault.mode === 'delay') await pause(fault.delayMs);
    if (fault.mode === 'never-answer') await pause(LONGEST_SILENCE_MS);
    if (fault.mode !== 'delay') throw new ConnectionLost();
  }
  return answer;
}
