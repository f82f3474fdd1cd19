import type { StorageUnavailable } from '../kernel/storage-trouble.ts';

/** What a process knows of an open database. Only `transaction.ts`, `group-commit.ts` and `prepared-statements.ts` use it. */
export interface DbState {
  /** Runs after the commit of the open transaction. Undefined: none is open. */
  afterCommit: (() => unknown)[] | undefined;
  readonly onCommit: Set<() => void>;
  readonly beforeCommit: (() => void)[];
  readonly onUndo: (() => void)[];
  trouble: Trouble | undefined;
  group: Waiting[] | undefined;
  /** Changes that join the next group. */
  patient: Waiting[];
  /** Prepared statements by table and shape, and what `onceForDb` has built by its builder. */
  readonly built: Map<object | string, object>;
}

export interface Trouble {
  error: StorageUnavailable;
  /** Monotonic milliseconds of the first and of the last refused transaction. */
  since: number;
  lastAt: number;
}

/** A change in a group, and the promise of its caller. */
export interface Waiting {
  /** `tx` is a `Tx`, whose type contains this one. */
  change: (tx: object) => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export const newState = (): DbState => ({
  afterCommit: undefined,
  onCommit: new Set(),
  beforeCommit: [],
  onUndo: [],
  trouble: undefined,
  group: undefined,
  patient: [],
  built: new Map(),
});
