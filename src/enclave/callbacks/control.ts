import { type CallerId, type Scoped, scopedRow } from '../../contract/tenancy.ts';
import type { CallbackAttempt as StoredAttempt } from '../../db/schema/enclave.ts';
import type { EnclaveDeps } from '../deps.ts';
import * as callbackAttempts from './attempt-store.ts';
import { replay } from './enqueue.ts';
import type { CallbackQuery } from './list-store.ts';
import * as callbackLists from './list-store.ts';
import type { CallbackRow } from './store.ts';

/** `data`: the `data` of the body; `attempts`: how many there were since the last replay. */
export type ListedCallback = CallbackRow & { id: Scoped<number> };
export type CallbackAttempt = StoredAttempt & { callbackId: number };

export function callbackControl(deps: EnclaveDeps) {
  const { db } = deps;
  return {
    /** In the order of the query, at most `query.limit`. `next`: the position of the next page. */
    listCallbacks(query: CallbackQuery, caller: CallerId) {
      const { rows, next } = callbackLists.page(db, caller, query);
      return { rows: rows.map(ownId), next };
    },
    /** Number of callbacks on all pages, at most `most`. Null: the filter is not counted. */
    countCallbacks: (query: CallbackQuery, caller: CallerId, limit: number) =>
      callbackLists.count(db, caller, query, limit),
    /** Oldest first, by long poll. Resolves with none when `signal` aborts before the first one arrives. */
    async waitForCallbacks(query: CallbackQuery, caller: CallerId, signal: AbortSignal) {
      for (;;) {
        const { rows } = callbackLists.page(db, caller, query);
        if (rows.length > 0 || signal.aborted) return rows.map(ownId);
        await deps.waiters.wait(caller, signal);
      }
    },
    /** Attempts to deliver these callbacks, oldest first. */
    callbackAttempts: (callbacks: readonly ListedCallback[]): CallbackAttempt[] => callbackAttempts.of(db, callbacks),
    replayCallback: (id: number, caller: CallerId) => ownId(replay(deps, id, caller)),
  };
}

const ownId = scopedRow('id');
