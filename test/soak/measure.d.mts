interface Shares {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}
export function watchHealth(url: string): { stop(): Promise<Shares & { asked: number; machine: Shares }> };
export function watchMemory(
  pid: number,
  everyMs: number,
  settledMs: number,
): { stop(): { samples: number[]; growth: number } };
