import { type Db, openDb } from '../../../src/db/open.ts';
import { timers as table } from '../../../src/db/schema/runtime.ts';
import { write } from '../../../src/db/transaction.ts';
import { type Log, silentLog } from '../../../src/kernel/log.ts';
import type { Outcome } from '../../../src/timers/registry.ts';
import { type SandboxClock, sandboxClock } from '../../../src/timers/sandbox-clock.ts';
import { createTimers, type NewTimer, type Timers } from '../../../src/timers/timers.ts';
import { withResolvers } from '../with-resolvers.ts';

export const START = 1_700_000_000_000;
export const KIND = 'enclave.verification.ask';

/** The work of every timer's handler: `name` is the timer's key. */
export type Handler = (name: string, owner: string) => Promise<Outcome> | Outcome;

export interface TestTimers {
  db: Db;
  timers: Timers;
  clock: SandboxClock;
  /** The machine's time; the test moves it. */
  machine: { at: number };
  /** Every start of a handler, in order. */
  ran: { name: string; owner: string; at: number }[];
  names(): string[];
  handle(handler: Handler): void;
  schedule(name: string, timer?: Partial<NewTimer<typeof KIND>>): void;
  row(name: string): typeof table.$inferSelect | undefined;
  close(): Promise<void>;
}

/** Real timers on a real database with a clock that stands still until it is moved. */
export function createTestTimers(path: string | Db = ':memory:', log: Log = silentLog): TestTimers {
  const db = typeof path === 'string' ? openDb(path) : path;
  const machine = { at: START };
  const clock = sandboxClock(db, { now: () => machine.at });
  const timers = createTimers({ db, clock, log, silentAfterMs: 100 });
  const ran: TestTimers['ran'] = [];
  let handler: Handler = () => ({});
  const run = ({ uuid }: { uuid: string }, owner: string) => {
    ran.push({ name: uuid, owner, at: clock.now(owner) });
    return handler(uuid, owner);
  };
  const unused = () => {
    throw new Error('no timer of this kind is scheduled here');
  };
  timers.start({
    [KIND]: run,
    'enclave.verification.time-out': run,
    'enclave.callback.deliver': unused,
    'robot.deposit.inquire': unused,
  } as unknown as Parameters<Timers['start']>[0]);
  return {
    db,
    timers,
    clock,
    machine,
    ran,
    names: () => ran.map(({ name }) => name),
    handle(next) {
      handler = next;
    },
    schedule(name, timer = {}) {
      const row = { owner: 'a', dueAt: clock.now(timer.owner ?? 'a'), why: name, ...timer };
      write(db, tx => timers.schedule(tx, KIND, { ...row, payload: { uuid: name } }));
    },
    row: name =>
      db.orm
        .select()
        .from(table)
        .all()
        .find(({ key }) => key === name),
    async close() {
      await timers.stop();
      db.close();
    },
  };
}

/** One turn of the event loop. */
export const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Resolves in the turn in which the condition holds. */
export async function untilTurn(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** A promise that the test opens. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise: opened, resolve: open } = withResolvers<void>();
  return { opened, open };
}
