import { firstWithin } from '../timers/loop.ts';

/** Tasks wait here for the next change of the database. */
export interface Pulse {
  changed(): void;
  /** Resolves at the next change, after `ms`, or when the VASP stops. */
  next(ms: number): Promise<void>;
  stop(): void;
  readonly isStopped: boolean;
}

export function createPulse(): Pulse {
  let isStopped = false;
  let wake = () => {};
  let beat = nextBeat();
  function nextBeat(): Promise<void> {
    return new Promise(resolve => {
      wake = resolve;
    });
  }
  const changed = () => {
    wake();
    if (!isStopped) beat = nextBeat();
  };
  return {
    changed,
    next: ms => firstWithin(ms, [beat]),
    stop() {
      isStopped = true;
      changed();
    },
    get isStopped() {
      return isStopped;
    },
  };
}
