import { atOnce, type Turns } from '../kernel/turns.ts';

/** Strangers share an embedded chain: they read, and send what they have signed. The tester of the local mode does more. */
export type DevnetAccess = 'everything' | 'reading and sending';

export interface DevnetCaller {
  readonly access: DevnetAccess;
  /** Callers of one owner share their turns at the node. */
  readonly owner: string;
  /** Of its frames, and of the calls of its batches. */
  readonly turns: Turns;
}

export const TESTER: DevnetCaller = { access: 'everything', owner: '', turns: atOnce };
