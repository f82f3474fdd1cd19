import { expect } from 'vitest';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { reaches, received, verifiedForRobot } from '../requests/from-robot.ts';
import { paid, verified } from '../requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../requests/inquiries.ts';
import { until } from '../until.ts';
import type { World } from './world.ts';

/** The chain controls of the embedded chains, and what the robot does meanwhile. */
export interface Turned {
  symbol: string;
  control: string;
  head: { height: number; hash: string } | null;
}

export interface ChainControls {
  call<T>(symbol: string, control: string, body?: object, at?: World): ReturnType<typeof callAt<T>>;
  turn(symbol: AssetSymbol, control: string, body?: object, at?: World): Promise<Turned>;
  /** The robot reads on: what is paid now is credited. */
  expectRobotReads(symbol: AssetSymbol): Promise<void>;
  /** The robot pays: once, and what it pays arrives. */
  expectRobotPays(symbol: AssetSymbol): Promise<void>;
}

const callAt = <T>(at: World, symbol: string, control: string, body?: object) =>
  at.api.call<T>('POST', `/sandbox/v1/chains/${symbol}/${control}`, body);

export const controlsOf = (world: () => World): ChainControls => ({
  call: (symbol, control, body, at = world()) => callAt(at, symbol, control, body),
  async turn(symbol, control, body, at = world()) {
    const answer = await callAt<Turned>(at, symbol, control, body);
    expect(answer).toMatchObject({ status: 200, body: { symbol, control } });
    return answer.body;
  },
  async expectRobotReads(symbol) {
    const verification = await verified(world(), { symbol });
    const before = Number(await balanceAt(world(), symbol, verification.to));
    const txHash = await paid(world(), verification);
    await world().api.reportTransaction(verification.uuid, txHash);
    await until(async () => {
      await world().idle();
      return Number(await balanceAt(world(), symbol, verification.to)) > before;
    });
    expect(await depositOf(world(), txHash)).toMatchObject({ status: 'CREDITED', amount: verification.amount });
  },
  async expectRobotPays(symbol) {
    const amount = await received(world(), { symbol, amount: '2.5' });
    const { uuid } = await verifiedForRobot(world(), { symbol, amount });
    await world().api.robotWithdraw(uuid);
    await reaches(world(), uuid, 'CONFIRMED');
  },
});
