import { atOnce, type Turns } from '../kernel/turns.ts';

/** Strangers share an embedded chain: they read, and send what they have signed. The tester of the local mode does more. */
export type DevnetAccess = 'everything' | 'reading and sending';

/** The caller behind a WebSocket. */
export interface DevnetCaller {
  readonly access: DevnetAccess;
  /** Of its frames. */
  readonly turns: Turns;
}

export const TESTER: DevnetCaller = { access: 'everything', turns: atOnce };
