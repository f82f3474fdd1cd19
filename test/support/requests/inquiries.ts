import type { World } from '../world/world.ts';

const MINUTE_MS = 60_000;

/** Advances; answers after how many minutes, counted from the verification, the robot has asked for the status. */
export async function askedDuring(world: World, uuid: string, duration: string): Promise<number[]> {
  const createdAt = Date.parse((await world.api.verification(uuid)).createdAt);
  const { fired } = await world.advance(duration);
  return fired
    .filter(timer => timer.kind === 'robot.deposit.inquire' && timer.key === uuid)
    .map(timer => (Date.parse(timer.dueAt) - createdAt) / MINUTE_MS);
}

export const depositOf = async (world: Pick<World, 'api'>, txHash: string) =>
  (await world.api.receivedPayments()).payments.find(deposit => deposit.txHash === txHash);

/** The balance at one of the robot's addresses, as decimal text. */
export const balanceAt = async (
  world: Pick<World, 'api' | 'vaspId'>,
  symbol: string,
  address: string,
): Promise<string> => (await world.api.balance(world.vaspId, symbol, address)).value;
