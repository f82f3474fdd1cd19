import * as z from 'zod';
import { parse, parseJsonObject } from '../contract/parse.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { MAX_COUNTED, named, optional, VaspId } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { deleteOwnHistory, record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { TIMER_KINDS } from '../db/schema/runtime.ts';
import { type Tx, write } from '../db/transaction.ts';
import type { RegisteredVasp } from '../enclave/control.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { pick } from '../kernel/members.ts';
import { runInParts } from '../kernel/turns.ts';
import type { Follow, Followed } from '../timers/timers.ts';
import { failureText, guardedClient, requestHeaders } from '../vasps/http-client.ts';
import type { SandboxDeps } from './deps.ts';
import { duration, limit, nextPage, total } from './parameters.ts';

/** A few milliseconds. */
const MAX_PER_WRITE = 20;

/**
 * Deletes the data of this VASP except its registration, and sets its clock to the machine's time. The history keeps one
 * entry: the reset. In hosted mode verifications with other VASPs stay: they belong to both.
 */
async function deleteData(deps: SandboxDeps, vaspId: CallerId): Promise<void> {
  await deps.runs.stopOf(vaspId);
  await deleteMost(deps, vaspId);
  write(deps.db, tx => {
    deleteWork(deps, tx, vaspId);
    deps.exchanges.removeOf(tx, vaspId);
    deps.enclave.deleteVaspData(tx, vaspId, among(deps));
    deleteRest(deps, tx, vaspId);
    record(tx, {
      machine: 'reset',
      rowKey: vaspId,
      verificationUuid: null,
      vaspId,
      from: null,
      event: 'reset',
      to: null,
      at: deps.clock.now(vaspId),
      cause: 'all data of this VASP were deleted',
    });
  });
  if (!deps.isHosted) return;
  // The times of the verifications with other VASPs were on the clock that was set back.
  await runInParts(parts(deps.db, tx => deps.enclave.moveBack(tx, vaspId, MAX_PER_WRITE)));
  write(deps.db, tx => deps.enclave.resumeShared(tx, vaspId));
}

/** Forgets a VASP: also its verifications with others. Money stays, without persons and their accounts. */
export function forgetData(deps: SandboxDeps, tx: Tx, vaspId: string): void {
  const { enclave, exchanges, robot, timers } = deps;
  timers.deleteAll(tx, vaspId);
  robot.forgetVasp(tx, vaspId);
  exchanges.forgetVasp(tx, vaspId);
  enclave.deleteVaspData(tx, vaspId);
  deleteRest(deps, tx, vaspId);
  enclave.forgetVasp(tx, vaspId);
}

/** What a reset and forgetting delete alike. */
function deleteRest({ clock, faults, runs }: SandboxDeps, tx: Tx, vaspId: string): void {
  faults.removeOf(tx, vaspId);
  runs.removeOf(tx, vaspId);
  clock.reset(tx, vaspId);
  deleteOwnHistory(tx, vaspId);
}

/** In parts, because much data would keep the others waiting. A kill in between leaves a VASP that can be reset again. */
async function deleteMost(deps: SandboxDeps, vaspId: CallerId): Promise<void> {
  const { db, timers, robot, enclave } = deps;
  const some = { among: among(deps), limit: MAX_PER_WRITE };
  await runInParts(parts(db, tx => timers.deleteSome(tx, vaspId, MAX_PER_WRITE)));
  await runInParts(parts(db, tx => robot.deleteSomeVaspData(tx, vaspId, MAX_PER_WRITE)));
  // Nothing of the robot needs a verification afterwards.
  write(db, tx => deleteWork(deps, tx, vaspId));
  await runInParts(parts(db, tx => enclave.deleteSomeVaspData(tx, vaspId, some)));
  await runInParts(deps.exchanges.removeOld(vaspId, Number.MAX_SAFE_INTEGER));
}

/** One transaction for each part, until it has deleted nothing. */
function* parts(db: Db, deleteSome: (tx: Tx) => number): Generator<void> {
  while (write(db, deleteSome) > 0) yield;
}

function deleteWork({ timers, robot }: SandboxDeps, tx: Tx, vaspId: CallerId): void {
  timers.deleteAll(tx, vaspId);
  robot.deleteVaspData(tx, vaspId);
}

const among = ({ isHosted }: SandboxDeps) => (isHosted ? ('resident' as const) : ('all' as const));

export const clockEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(clockCalls.clock, { summary: 'Read the time of this VASP', run: (_, caller) => readClock(deps, caller) }),
  control(clockCalls.advance, {
    summary: 'Move the time of this VASP forward; answers when every due timer has run',
    /** Also at the robots that have joined. The chains are read first, so the result does not depend on when they were read. */
    async run({ body }, caller) {
      await readChains(deps);
      const [{ fired, counts }, behind] = await withJoinedRobots(deps, caller, robots =>
        deps.timers.advance(caller, body.duration, robots?.follow),
      );
      return {
        now: toIso(deps.clock.now(caller)),
        fired: fired.map(timer => ({ ...timer, dueAt: toIso(timer.dueAt) })),
        counts,
        behind,
      };
    },
  }),
  control(clockCalls.timers, {
    summary: 'List the pending timers of this VASP',
    /** Reads one timer more than it shows, to see whether there is a next page. */
    run({ query: { after, limit } }, caller) {
      const rows = deps.timers.pending(caller, after, limit + 1);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        timers: shown.map(row => ({
          ...pick(row, 'kind', 'key', 'why', 'attempts', 'lastError'),
          dueAt: toIso(row.dueAt),
        })),
        total: deps.timers.countPending(caller, MAX_COUNTED + 1),
        next: last ? `${last.dueAt}.${last.id}` : null,
      };
    },
  }),
];

/** At a robot that has joined: the enclave has moved the time of a VASP, or has deleted its data. */
export async function followEnclave(
  deps: SandboxDeps,
  { aheadMs, isReset }: Pick<z.output<typeof FollowRequest>, 'aheadMs' | 'isReset'>,
  vaspId: CallerId,
) {
  if (isReset) await deleteData(deps, vaspId);
  await readChains(deps);
  return { ...(await deps.timers.advanceUntil(vaspId, aheadMs)), nextAheadMs: deps.timers.nextAheadMs(vaspId) };
}

const readChains = ({ networks }: SandboxDeps) => Promise.all(Object.values(networks).map(network => network.sync()));

/** The time of the calling VASP, and how many milliseconds it is ahead of the machine's. */
export const readClock = ({ clock, timers }: SandboxDeps, vaspId: CallerId) => ({
  now: toIso(clock.now(vaspId)),
  aheadMs: clock.aheadOf(vaspId),
  advancing: timers.progressOf(vaspId) ?? null,
});

/** A robot reads its ledgers first. Its timers may call the enclave, and wait for the VASP. */
const TIMEOUT_MS = 60_000;

/**
 * Runs `work` with the robots that have joined this enclave, and returns those that could not be reached: they are asked no
 * more. `follow`: the clock that the VASP has with them goes with its clock here. `reset` deletes the data that it has with
 * them. There are none in the hosted mode, where no VASP learns when another one moves its time.
 */
async function withJoinedRobots<T>(
  { enclave, isHosted }: SandboxDeps,
  vaspId: string,
  work: (robots: { follow: Follow; reset(): Promise<unknown> } | undefined) => Promise<T>,
): Promise<[T, z.output<typeof Behind>]> {
  const robots = (isHosted ? [] : enclave.listVasps()).filter(
    robot => robot.endpoints.clock !== undefined && robot.vaspId !== vaspId,
  );
  if (robots.length === 0) return [await work(undefined), []];
  const http = guardedClient(enclave.guard);
  const behind = new Map<RegisteredVasp, string>();

  async function tell(robot: RegisteredVasp, order: object): Promise<Followed[]> {
    const { endpoints, authorization } = robot;
    const headers = requestHeaders(authorization);
    const request = { method: 'POST', headers, body: JSON.stringify({ vaspId, ...order }) } as const;
    try {
      const answer = await http.call(endpoints.clock!, request, { timeoutMs: TIMEOUT_MS });
      if (answer.status === 200) return [parse(FollowResponse, parseJsonObject(answer.body))];
      behind.set(robot, `The robot answered with status ${answer.status} instead of 200.`);
    } catch (error) {
      behind.set(robot, failureText(error as Error, TIMEOUT_MS, 'robot'));
    }
    return [];
  }
  const tellAll = async (order: object) => {
    const reached = robots.filter(robot => !behind.has(robot));
    return (await Promise.all(reached.map(robot => tell(robot, order)))).flat();
  };
  try {
    const result = await work({
      follow: aheadMs => tellAll({ aheadMs, isReset: false }),
      reset: () => tellAll({ aheadMs: 0, isReset: true }),
    });
    return [result, [...behind].map(([robot, why]) => ({ vaspId: robot.vaspId, name: robot.name, why }))];
  } finally {
    await http.close();
  }
}

/** `/clock`, `/timers` */

const MAX_ADVANCE_MS = 366 * 86_400_000;

const FiredTimer = named('FiredTimer', { kind: z.enum(TIMER_KINDS), key: z.string(), dueAt: Timestamp });
const Counts = z
  .partialRecord(z.enum(TIMER_KINDS), z.number().int())
  .meta({ id: 'FiredCounts', description: 'Number of fired timers of each kind.' });
export const ClockNow = z.object({
  now: Timestamp,
  aheadMs: z.number().int().describe("Time by which the clock of the VASP is ahead of the machine's."),
  advancing: Counts.nullable().describe('The timers that the running advance has fired so far; null: none is running.'),
});
export const ClockResponse = ClockNow.meta({ id: 'ClockResponse', description: 'The time of this VASP.' });
/** The robots whose clock stays where it is, with the cause. */
export const Behind = z
  .array(z.object({ vaspId: z.string(), name: z.string(), why: z.string() }))
  .describe('Robots that have joined and could not be reached for it. The next call brings them to this time.');
export const AdvanceResponse = named(
  'AdvanceResponse',
  'The new time and the timers that ran on the way, in order, also those of robots that have joined.',
  {
    now: Timestamp,
    fired: z.array(FiredTimer).describe('At most 1000 of them, the first ones.'),
    counts: Counts,
    behind: Behind,
  },
);

/** For a robot that has joined: the time of a VASP at its enclave. */
export const FollowRequest = z.object({
  vaspId: VaspId,
  aheadMs: z.number().int().nonnegative(),
  /** The data of the VASP are deleted first, as at the enclave. */
  isReset: z.boolean(),
});
/** `nextAheadMs`: where the next timer of the VASP is due. Null: it has none. */
const FollowResponse = z.object({
  fired: z.array(z.object({ kind: z.enum(TIMER_KINDS), key: z.string(), dueAt: z.number() })),
  counts: Counts,
  nextAheadMs: z.number().nullable(),
});
const TimersQuery = named('TimersQuery', {
  limit,
  after: optional(
    z
      .string()
      .regex(/^\d{1,15}\.\d{1,15}$/, { error: 'should be a position from a previous answer' })
      .transform(text => text.split('.').map(Number) as [number, number])
      .transform(([dueAt, id]) => ({ dueAt, id })),
  ).describe('Position to read on from: `next` of the previous answer.'),
});
export const TimersResponse = named('TimersResponse', 'The pending timers, next first.', {
  timers: z.array(
    FiredTimer.extend({
      why: z.string(),
      attempts: z.number().int(),
      lastError: z.string().nullable().describe('Why the last attempt failed; null: no attempt failed.'),
    }),
  ),
  next: nextPage('after'),
  total,
});

export const clockCalls = calls({
  clock: { response: ClockResponse },
  advance: {
    body: named('AdvanceRequest', 'Time by which to move the clock of this VASP forward.', {
      duration: duration(MAX_ADVANCE_MS),
    }),
    response: AdvanceResponse,
  },
  timers: { query: TimersQuery, response: TimersResponse },
});

export const resetEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(resetCalls.reset, {
    summary: 'Delete the data of this VASP; its registration stays',
    /** Here, then at the robots that have joined. */
    async run(_, caller) {
      await deleteData(deps, caller);
      const [, behind] = await withJoinedRobots(deps, caller, async robots => robots?.reset());
      return { result: true as const, behind };
    },
  }),
];

/** `/reset` */

export const resetCalls = calls({
  reset: { response: named('ResetResponse', { result: z.literal(true), behind: Behind }) },
});
