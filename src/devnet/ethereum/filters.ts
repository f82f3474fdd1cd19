import { elapsedMs } from '../../kernel/clock.ts';
import { type Ask, type NodeError, refusedLogs } from './as-geth.ts';

type Call = { method: string; params?: unknown };

interface Filter {
  owner: string;
  /** Undefined: of blocks or transactions. */
  logs: unknown;
  usedAt: number;
}

const MAX_PER_VASP = 50;
/** The node forgets a filter that nobody has used for this time. */
const FORGOTTEN_AFTER_MS = 300_000;
const SERVER_ERROR = -32000;
const LIMIT_EXCEEDED = -32005;
const TOO_MANY = {
  code: LIMIT_EXCEEDED,
  message: `A VASP has at most ${MAX_PER_VASP} filters: end one with eth_uninstallFilter.`,
};
const NOT_FOUND = { code: SERVER_ERROR, message: 'filter not found' };

/**
 * The filters of strangers at the node, which keeps what each of them has not read yet. A VASP has few, and uses only its
 * own.
 */
export function ownFilters(now = elapsedMs) {
  const filters = new Map<string, Filter>();
  const forget = () => {
    for (const [id, { usedAt }] of filters) if (now() - usedAt > FORGOTTEN_AFTER_MS) filters.delete(id);
  };
  const countOf = (owner: string) => [...filters.values()].filter(each => each.owner === owner).length;

  return {
    async refused({ method, params }: Call, owner: string, ask: Ask): Promise<NodeError | undefined> {
      const [first] = Array.isArray(params) ? params : [];
      if (method === 'eth_getLogs') return refusedLogs(first, ask);
      if (isNew(method)) {
        forget();
        if (countOf(owner) >= MAX_PER_VASP) return TOO_MANY;
        return method === 'eth_newFilter' ? refusedLogs(first, ask) : undefined;
      }
      if (!USING.has(method)) return undefined;
      const filter = filters.get(first as string);
      if (filter?.owner !== owner) return NOT_FOUND;
      filter.usedAt = now();
      return method === 'eth_getFilterLogs' ? refusedLogs(filter.logs, ask) : undefined;
    },
    /** The node has served the call. */
    served({ method, params }: Call, owner: string, result: unknown): void {
      const [first] = Array.isArray(params) ? params : [];
      if (isNew(method) && typeof result === 'string')
        filters.set(result, { owner, logs: method === 'eth_newFilter' ? first : undefined, usedAt: now() });
      if (method === 'eth_uninstallFilter') filters.delete(first as string);
    },
  };
}

const USING: ReadonlySet<string> = new Set(['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter']);
const isNew = (method: string): boolean => /^eth_new.*Filter$/.test(method);
export const isOfFilters = (method: string): boolean => isNew(method) || USING.has(method);
