import { spawnSync } from 'node:child_process';

const taskset = (...args: string[]): string => spawnSync('taskset', args, { encoding: 'utf8' }).stdout ?? '';

/** The cores of this process, as `0,1` or `0-3`. Empty: there is no `taskset`. */
const allCores = /list: (\S+)/.exec(taskset('-c', '-p', `${process.pid}`))?.[1] ?? '';
const lastCore = /\d+$/.exec(allCores)?.[0] ?? '';

/**
 * Keeps this process, the client and the callback endpoint, on the last core while `work` runs. Otherwise Linux wakes the
 * client on the core of the server as soon as an answer is written, and a server that answers before it calls back waits
 * for the client first. The servers must run already: they use all cores. Without `taskset`, or with one core, nothing
 * changes.
 */
export async function onLastCore<T>(work: () => Promise<T>): Promise<T> {
  if (allCores === lastCore) return work();
  const moveTo = (cores: string) => taskset('-a', '-c', '-p', cores, `${process.pid}`);
  moveTo(lastCore);
  try {
    return await work();
  } finally {
    moveTo(allCores);
  }
}
