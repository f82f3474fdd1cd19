/** One HTTP exchange with a VASP: `IN` it called us, `OUT` we called it. Headers are never kept: they hold tokens. */
export interface Exchange {
  vaspId: string;
  direction: 'IN' | 'OUT';
  operation: string;
  method: string;
  url: string;
  verificationUuid: string | null;
  request: string | null;
  /** Null when no answer came; `error` then says why. */
  status: number | null;
  response: string | null;
  error: string | null;
  durationMs: number;
  /** When it began, on the clock of the VASP. */
  at: number;
  /** When it began, as `position` said it. */
  afterHistory: number;
}

export interface ExchangeLog {
  record(exchange: Exchange): void;
  /** Where the history stands now. */
  position(): number;
}
