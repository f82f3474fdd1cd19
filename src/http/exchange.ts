import type { HeaderValues } from '../kernel/masked-headers.ts';

/** One HTTP exchange with a VASP. `IN`: the VASP called us. `OUT`: we called it. */
export interface Exchange {
  vaspId: string;
  direction: 'IN' | 'OUT';
  operation: string;
  method: string;
  url: string;
  verificationUuid: string | null;
  request: string | null;
  /** Null without an answer; `error` then has the cause. */
  status: number | null;
  response: string | null;
  /** Names in lower case. Secrets are masked. */
  headers: HeaderValues;
  /** Empty without an answer. */
  responseHeaders: HeaderValues;
  error: string | null;
  durationMs: number;
  /** Milliseconds of the duration until a new connection stood; all of them when it never did. Absent: there was no new one. */
  connectMs?: number | undefined;
  /** Milliseconds of the duration in which this process was late itself: it stood still, or kept the VASP waiting. Absent: none, or not measured. */
  standstillMs?: number | undefined;
  /** A call of the endpoint check. */
  isCheck: boolean;
  /** D-38: sent once more, because its connection had ended. */
  isRepeated: boolean;
  /** Start, on the clock of the VASP, epoch ms. */
  at: number;
  /** Position of the history at the start. */
  afterHistory: number;
}

export interface ExchangeLog {
  record(exchange: Exchange): void;
  /** Current position of the history. */
  position(): number;
}
