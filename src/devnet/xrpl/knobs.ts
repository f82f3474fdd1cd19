import type { Engine } from './engine.ts';

/** What a test may do to the ledger that the outside world does to a real one. */
export interface XrplKnobs {
  /** Closes one ledger now, even while closing is held. */
  close(): { index: number; hash: string };
  /** true: the timer closes nothing until false. */
  hold(on: boolean): void;
  /** The next submission is answered as usual and gets lost. */
  dropNext(): void;
  /** The next submission is answered as usual and reaches the open ledger only after this many closes. */
  delayNext(closes: number): void;
  /** At the next close the last account to submit comes first, so that results may differ from the provisional ones. */
  reorderNextClose(): void;
  /** Least fee = base fee × this (1: as usual). Less is answered with telINSUF_FEE_P. */
  loadFactor(factor: number): void;
  /** Closed ledgers up to and including this index are gone, as on a server with little history. */
  forgetHistory(upTo: number): void;
  /** A new genesis, as after the reset of a test network. Connections are closed. */
  startOver(): void;
}

export function knobsOf(engine: Engine, hold: (on: boolean) => void): XrplKnobs {
  return {
    close() {
      const { header } = engine.close();
      return { index: header.index, hash: header.hash };
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
    throw new RangeError(`not a positive whole number: ${value}`);
  return value;
}
