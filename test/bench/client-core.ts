import { spawnSync } from 'node:child_process';

const taskset = (...args: string[]): string => spawnSync('taskset', args, { encoding: 'utf8' }).stdout ?? '';

/** The cores of this process, each by its number. Empty: there is no `taskset`. */
const cores = (/list: (\S+)/.exec(taskset('-c', '-p', `${process.pid}`))?.[1] ?? '')
  .split(',')
  .filter(range => range !== '')
  .flatMap(range => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });

/**
 * While `work` runs, this process (the client and the callback endpoint) has the last core, and the servers have the
 * others. Otherwise Linux wakes the client on the core of the server as soon as an answer is written, and a server that
 * answers before it calls back waits for the client first. Without `taskset`, or with one core, nothing changes.
 */
export async function onCoresApart<T>(servers: readonly number[], work: () => Promise<T>): Promise<T> {
  if (cores.length < 2) return work();
  const move = (pid: number, to: readonly number[]) => taskset('-a', '-c', '-p', to.join(','), `${pid}`);
  move(process.pid, cores.slice(-1));
  for (const pid of servers) move(pid, cores.slice(0, -1));
  try {
    return await work();
  } finally {
    for (const pid of [process.pid, ...servers]) move(pid, cores);
  }
}
