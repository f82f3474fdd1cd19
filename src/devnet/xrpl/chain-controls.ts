import type { Engine } from './engine.ts';
import { isTo } from './transactors/payment.ts';

export type XrplControls = ReturnType<typeof controlsOf>;

/** Controls for tests. Each one does what can happen to a real ledger. `hold`: stops the timer that closes ledgers. */
export const controlsOf = (engine: Engine, hold: (on: boolean) => void) => ({
  /** Closes one ledger now, even while closing is on hold. */
  close(): { index: number; hash: string } {
    const { header } = engine.close();
    return { index: header.index, hash: header.hash };
  },
  /** Closes a ledger if a transaction waits for it. */
  closePending(): void {
    if (engine.open.transactions.size > 0) engine.close();
  },
  hold,
  /** Closes a ledger in which payments to this account fail with tecNO_PERMISSION. The hash of one; undefined: none waits. */
  failPayment(account: string, tag?: number): string | undefined {
    const payment = [...engine.open.transactions.values()].find(tx => isTo(tx, { account, tag }));
    if (payment) engine.close({ account, tag });
    return payment?.hash;
  },
  /** The next submission is answered as usual and is lost. */
  dropNext: (): void => engine.submissions.dropNext(),
  /** The next submission is answered as usual and reaches the open ledger only after this many closes. */
  delayNext: (closes: number): void => engine.submissions.delayNext(closes),
  /** The next close applies the last account to submit first, so that results differ from the provisional ones. */
  reorderNextClose: (): void => engine.reorderNextClose(),
  /** Minimum fee = base fee × this (1: normal). A lower fee fails with telINSUF_FEE_P. */
  loadFactor(factor: number): void {
    engine.loadFactor = factor;
  },
  /** Deletes closed ledgers up to and including this index, as on a server with little history. */
  forgetHistory: (upTo: number): void => engine.forgetHistory(upTo),
  /** Starts over from a new genesis, like the reset of a test network. Connections are closed. */
  startOver: (): void => engine.startOver(),
});
