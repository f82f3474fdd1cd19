import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { controlsOf } from '../support/world/chain-controls.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** D-33: what is said of the VASP after a chain has started over. The chain controls are those of the embedded chains. */
describe.skipIf(BY_URL)('D-33', async () => {
  const world = await forFile(createWorld());
  const { turn } = controlsOf(() => world);

  test.each(ASSET_SYMBOLS)('%s: a payment that was credited is CONFIRMED for its VASP for ever', async symbol => {
    const verification = await verified(world, { symbol });
    const txHash = await paid(world, verification);
    await world.api.reportTransaction(verification.uuid, txHash);
    await world.idle();
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED' });
    await turn(symbol, 'start-over');
    const findingsAfter = async (status: 'CONFIRMED' | 'WAIT-CONFIRM', hash: string) => {
      world.vasp.ordinary.setStatus(verification.uuid, status, hash);
      await world.api.robotInquire(verification.uuid);
      return (await world.api.verifications({ search: verification.uuid })).verifications[0]!.findings;
    };
    expect(await findingsAfter('CONFIRMED', txHash)).toEqual([]);
    expect(await findingsAfter('WAIT-CONFIRM', '')).toEqual([]);
    expect(await findingsAfter('CONFIRMED', txHash.replace(/.{4}$/, '0000'))).toMatchObject([
      { code: 'STATUS-CONTRADICTS-CHAIN' },
    ]);
  });

  test('the answer of a verification that it has ended is not awaited, and not called late', async () => {
    const user = world.info.users.find(({ behaviour }) => behaviour === 'ANSWERS-SLOWLY')!;
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world, { user: user.id }));
    await world.idle();
    expect(await world.api.verification(uuid)).not.toHaveProperty('result');
    await turn('ETH', 'start-over');
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'UNDEFINED-ERROR' });
    const { timers } = await world.api.timers();
    expect(timers.filter(({ key }) => key === uuid)).toEqual([]);
    await world.advance('4s');
    const { timeline } = await world.api.timeline(uuid);
    expect(timeline.filter(({ what }) => what === 'verification').map(({ event }) => event)).toEqual([
      'begin',
      'failed',
    ]);
  });
});
