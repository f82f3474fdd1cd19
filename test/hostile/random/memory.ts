import { readFileSync } from 'node:fs';

const PARTS = 5;

/**
 * Looks at the heap of the program while `requests` are sent. `lowest`: megabytes in each fifth of the run. They are
 * what is in use, because V8 collects only when the heap has doubled.
 */
export function watchHeap(url: string, requests: number) {
  const lookEvery = Math.ceil(Math.min(200, requests / PARTS / 4));
  const lowest = Array.from({ length: PARTS }, () => Number.POSITIVE_INFINITY);
  async function look(done: number): Promise<void> {
    if (done % lookEvery > 0) return;
    const part = Math.floor(((done - 1) / requests) * PARTS);
    lowest[part] = Math.min(lowest[part]!, await heapUsed(url).catch(() => Number.POSITIVE_INFINITY));
  }
  return { lowest, look };
}

async function heapUsed(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)![1]) / 2 ** 20;
}

/** Megabytes that a process had in memory at most. */
export const maxResident = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
