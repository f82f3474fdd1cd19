import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { type RobotVerification, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/** The embedded ledgers die with the program: what they have told the robot must not be lost with them. */

const world = await forFile(createProgramWorld());

const MOMENTS: Record<string, (verification: RobotVerification) => Promise<unknown>> = {
  'the withdrawal is answered': async () => {},
  'the report arrives': ({ uuid }) => world.vasp.arrived('callback', uuid, 1),
  'it is CONFIRMED': ({ uuid }) => reaches(world, uuid, 'CONFIRMED'),
};

describe.each(ASSET_SYMBOLS)('embedded, %s: SIGKILL of robot and ledger together when', symbol => {
  test.each(Object.entries(MOMENTS))('%s: paid once, reported once, the same after the restart', async (_, moment) => {
    await received(world, { symbol });
    const verification = await verifiedForRobot(world, { symbol, amount: '1' });
    const { uuid, to, from } = verification;
    const ledger = ledgerOf(world, symbol);
    const sent = await ledger.sent(from);
    await world.api.robotWithdraw(uuid);
    await moment(verification);
    await world.kill();
    await world.start();
    await reaches(world, uuid, 'CONFIRMED');
    const { txHash } = await world.api.inquireTransaction(uuid);
    expect(await ledger.transaction(txHash!)).toBeDefined();
    expect(await ledger.balanceOf(to)).toBe('1');
    expect(await ledger.sent(from)).toBe(sent + 1);
    await world.idle();
    for (const callback of await world.vasp.arrived('callback', uuid, 1))
      expect(callback.body).toEqual({ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } });
  });
});
