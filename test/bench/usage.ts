import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processor time in microseconds, since the start of the process. */
export interface Cpu {
  /** The thread that runs JavaScript. */
  main: number;
  /** The other threads of the process. */
  threads: number;
  /** Every process that it started. */
  children: number;
}

export function cpuOf(pid: number): Cpu {
  const main = threadCpu(pid, pid);
  const threads = readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter(thread => thread !== pid)
    .reduce((sum, thread) => sum + threadCpu(pid, thread), 0);
  const children = childrenOf(pid)
    .map(child => cpuOf(child))
    .reduce((sum, cpu) => sum + cpu.main + cpu.threads + cpu.children, 0);
  return { main, threads, children };
}

export const spent = (before: Cpu, after: Cpu): Cpu => ({
  main: after.main - before.main,
  threads: after.threads - before.threads,
  children: after.children - before.children,
});

/** Bytes that the process had written to disk. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
}

/** Resident memory of a process and every process that it started, in MB. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  return childrenOf(pid).reduce((sum, child) => sum + memoryMb(child), own);
}

function threadCpu(pid: number, thread: number): number {
  const path = `/proc/${pid}/task/${thread}/schedstat`;
  if (!existsSync(path)) return 0;
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1_000;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap(thread => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '))
    .filter(Boolean)
    .map(Number);
}
