import type { Arrival, Scope } from '../http/caller.ts';

/** Paths without a key. The console asks for a session by itself. */
const PUBLIC = [
  /^\/(?:healthcheck|readyz|openapi\.json|docs|llms(?:-full)?\.txt)$/,
  /^\/(?:\.well-known|guide|console)(?:\/|$)/,
];
export const REGISTRATIONS = '/sandbox/v1/registrations';
const RUNS = /^\/sandbox\/v1\/runs(?:\/|$)/;

type Request = Pick<Arrival, 'method' | 'path'>;

export const isPublic = ({ method, path }: Request): boolean =>
  PUBLIC.some(each => each.test(path)) || (method === 'POST' && path === REGISTRATIONS);

/** A balancer asks often, and the answers cost nothing. */
export const isProbe = ({ path }: Request): boolean => path === '/healthcheck' || path === '/readyz';

export const isReading = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** `/metrics` is only for the operator. A WebSocket to a ledger begins with GET, and can send transactions. */
export const mayUse = (scope: Scope, { method, path }: Request): boolean => {
  if (path === '/metrics') return false;
  if (isOfLedger(path)) return scope === 'full';
  // Each tool calls the API with the same key, which is judged there.
  if (path === '/mcp') return true;
  if (scope === 'full' || isReading(method)) return true;
  return scope === 'check' && RUNS.test(path);
};

/** Of the embedded ledgers. */
export const isOfLedger = (path: string): boolean => /^\/devnet(?:\/|$)/.test(path);
