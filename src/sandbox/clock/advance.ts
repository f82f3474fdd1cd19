import type * as z from 'zod';
import { parse, parseJsonObject } from '../../contract/parse.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RegisteredVasp } from '../../enclave/control.ts';
import { toIso } from '../../kernel/clock.ts';
import type { Follow, Followed } from '../../timers/advance.ts';
import { failureText } from '../../vasps/call-failure.ts';
import { guardedClient } from '../../vasps/http-client.ts';
import { requestHeaders } from '../../vasps/wire.ts';
import type { SandboxDeps } from '../deps.ts';
import { deleteData } from '../reset/delete-data.ts';
import { type Behind, type FollowRequest, FollowResponse } from './schema.ts';

/**
 * Moves the time of this VASP forward, here and at the robots that have joined. Resolves when every due timer has run. The
 * chains are read first, so the result does not depend on when the robot last read them.
 */
export async function advanceClock(deps: SandboxDeps, durationMs: number, vaspId: CallerId) {
  await readChains(deps);
  const [advanced, behind] = await withJoinedRobots(deps, vaspId, robots =>
    deps.timers.advance(vaspId, durationMs, robots?.follow),
  );
  return {
    now: toIso(deps.clock.now(vaspId)),
    fired: advanced.fired.map(timer => ({ ...timer, dueAt: toIso(timer.dueAt) })),
    counts: advanced.counts,
    behind,
  };
}

/** At a robot that has joined: the enclave has moved the time of a VASP, or has deleted its data. */
export async function followEnclave(
  deps: SandboxDeps,
  { aheadMs, isReset }: Pick<z.output<typeof FollowRequest>, 'aheadMs' | 'isReset'>,
  vaspId: CallerId,
) {
  if (isReset) await deleteData(deps, vaspId);
  await readChains(deps);
  const { advance } = deps.timers;
  return { ...(await advance.until(vaspId, aheadMs)), nextAheadMs: advance.nextAheadMs(vaspId) };
}

const readChains = ({ networks }: SandboxDeps) => Promise.all(Object.values(networks).map(network => network.sync()));

/** The time of the calling VASP, and how many milliseconds it is ahead of the machine's. */
export const readClock = ({ clock, timers }: SandboxDeps, vaspId: CallerId) => ({
  now: toIso(clock.now(vaspId)),
  aheadMs: clock.aheadOf(vaspId),
  advancing: timers.advance.progress(vaspId) ?? null,
});

/** The robots that have joined this enclave. The clock that a VASP has with them goes with its clock here. */
interface JoinedRobots {
  follow: Follow;
  /** Deletes the data that the VASP has with them. */
  reset(): Promise<unknown>;
}

/** A robot reads its ledgers first. Its timers may call the enclave, and wait for the VASP. */
const TIMEOUT_MS = 60_000;

/**
 * Runs `work` with the robots that have joined, and returns those that could not be reached: they are asked no more. There are
 * none in the hosted mode, where no VASP learns when another one moves its time.
 */
export async function withJoinedRobots<T>(
  { enclave, isHosted }: SandboxDeps,
  vaspId: string,
  work: (robots: JoinedRobots | undefined) => Promise<T>,
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
