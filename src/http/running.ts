import type { ServerResponse } from 'node:http';
import { firstWithin } from '../kernel/interval.ts';
import type { Incoming } from './server.ts';

/** A request that is cut off gets this long to take its answer. */
const ANSWERED_WITHIN_MS = 500;

/** The requests that have begun and have not ended. */
export function runningRequests(cutOff: (request: Incoming, response: ServerResponse) => void) {
  const running = new Map<ServerResponse, Incoming>();
  let mayBegin = true;
  const ended = () =>
    Promise.all([...running.keys()].map(response => new Promise(resolve => response.once('close', resolve))));
  return {
    /** False: the program stops, so no request begins any more. */
    mayBegin: () => mayBegin,
    begin(request: Incoming, response: ServerResponse): void {
      running.set(response, request);
      response.once('close', () => running.delete(response));
    },
    /** No request begins from now on. Resolves when all have ended; those that last longer than `ms` are cut off. */
    async end(ms: number): Promise<void> {
      mayBegin = false;
      await firstWithin(ms, [ended()]);
      for (const [response, request] of running) cutOff(request, response);
      await firstWithin(ANSWERED_WITHIN_MS, [ended()]);
    },
  };
}
