import { historyOf } from '../db/history.ts';
import { get } from '../enclave/verification/get.ts';
import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';

/** Everything about one verification, in order. Only its two VASPs may see it. */
export function timeline(deps: SandboxDeps, verificationUuid: string, vaspId: string) {
  get(deps.enclave, verificationUuid, vaspId);
  const changes = historyOf(deps.db, verificationUuid).map(row => ({
    at: row.at,
    what: row.machine,
    event: row.event,
    from: row.from,
    to: row.to,
    cause: row.cause,
    lane: 'enclave' as const,
    between: null,
    ...(row.detail === undefined ? {} : { detail: row.detail as Record<string, unknown> }),
  }));
  const exchanges = deps.exchanges
    .ofVerification(verificationUuid)
    .filter(row => row.vaspId === vaspId)
    .map(row => ({
      at: row.at,
      what: 'http',
      event: row.direction === 'IN' ? 'was-called' : 'called',
      from: null,
      to: null,
      cause: `${row.operation}: ${row.status ?? row.error}`,
      lane: 'enclave' as const,
      between: null,
      detail: { method: row.method, url: row.url, durationMs: row.durationMs },
    }));
  const entries = [...changes, ...exchanges].sort((a, b) => a.at - b.at);
  return {
    verificationUuid,
    timeline: entries.map(entry => ({ ...entry, at: toIso(entry.at) })),
    pending: [],
  };
}
