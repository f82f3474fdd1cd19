import type { Engine } from './engine.ts';

/** Controls for tests. Each one does what can happen to a real ledger. */
export interface XrplKnobs {
  /** Closes one ledger now, even while closing is on hold. */
  close(): { index: number; hash: string };
  /** Closes a ledger if a transaction waits for it. */
  closePending(): void;
  /** true: the timer stops closing ledgers. false: it goes on. */
  hold(on: boolean): void;
  /** The next submission is answered as usual and is lost. */
  dropNext(): void;
  /** The next submission is answered as usual and reaches the open ledger only after this many closes. */
  delayNext(closes: number): void;
  /** The next close applies the last account to submit first, so that results differ from the provisional ones. */
  reorderNextClose(): void;
  /** Minimum fee = base fee × this (1: normal). A lower fee fails with telINSUF_FEE_P. */
  loadFactor(factor: number): void;
  /** Deletes closed ledgers up to and including this index, as on a server with little history. */
  forgetHistory(upTo: number): void;
  /** Starts over from a new genesis, like the reset of a test network. Connections are closed. */
  startOver(): void;
}

export function knobsOf(engine: Engine, hold: (on: boolean) => void): XrplKnobs {
  return {
    close() {
      const { header } = engine.close();
      return { index: header.index, hash: header.hash };
    },
    closePending() {
      if (engine.open.transactions.size > 0) engine.close();
    },
    hold,
    dropNext: () => engine.submissions.dropNext(),
    delayNext: closes => engine.submissions.delayNext(positive(closes)),
    reorderNextClose: () => engine.reorderNextClose(),
    loadFactor(factor) {
      engine.loadFactor = positive(factor);
    },
    forgetHistory: upTo => engine.forgetHistory(positive(upTo)),
    startOver: () => engine.startOver(),
  };
}

function positive(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`must be a positive whole number: ${value}`);
  return value;
}
