import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRpc } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';
import type { StateStore } from './state-store.ts';

const INTERVAL_MS = 1_000;
/** A big chain takes long to dump: at most one part in ten of the time goes into it. */
const REST_PER_WORK = 9;

/**
 * Saves the state once a second when the head moved. The node's own interval dump would do it at rest too, and tears
 * its file when killed meanwhile. Answers a function that stops it and waits for a dump under way.
 */
export function keepSnapshots(rpc: JsonRpc, store: StateStore, saved: string, log: Log): () => Promise<void> {
  const stop = new AbortController();
  let last = saved;
  const run = async () => {
    let rest = INTERVAL_MS;
    while (await slept(rest, stop.signal)) {
      const began = performance.now();
      try {
        const head = await headHash(rpc);
        if (head !== last) await snapshot(rpc, store);
        last = head;
      } catch (error) {
        if (!stop.signal.aborted) log.warn({ error: String(error) }, 'state of the Ethereum node not saved');
      }
      rest = Math.max(INTERVAL_MS, (performance.now() - began) * REST_PER_WORK);
    }
  };
  const running = run();
  return () => {
    stop.abort();
    return running;
  };
}

/** Answers the hash of a head that the saved state contains. */
export async function snapshot(rpc: JsonRpc, store: StateStore): Promise<string> {
  const head = await headHash(rpc);
  const dump = await rpc.call<string>('anvil_dumpState');
  await store.save(Buffer.from(dump.slice(2), 'hex'));
  return head;
}

export const headHash = async (rpc: JsonRpc): Promise<string> =>
  (await rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash;

const slept = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal }).catch(() => false);
