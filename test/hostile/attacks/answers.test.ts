import { afterAll, beforeAll, expect, test } from 'vitest';
import { robotVerificationOf } from '../../support/requests/from-robot.ts';
import { createProgramWorld, type ProgramWorld } from '../../support/world/program-world.ts';

/** The limits of requests count for the answers of a VASP, too. */

let world: ProgramWorld;
beforeAll(async () => {
  world = await createProgramWorld();
}, 60_000);
afterAll(() => world.close());

test('an answer nested 6,000 deep is no answer, and the pages of its verification are shown', async () => {
  const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`;
  world.vasp.script('verifyUser', undefined, { body: `{"result":"VERIFIED","ivms101":${deep}}` });
  const { verificationUuid } = await world.api.letRobotVerifyUser(
    robotVerificationOf(world, { symbol: 'ETH' }),
  );
  await world.idle();
  expect(await world.api.verification(verificationUuid)).toMatchObject({
    result: 'DENIED',
    reason: 'UNDEFINED-ERROR',
  });
  for (const path of [
    `/v1/verifications/${verificationUuid}`,
    `/sandbox/v1/verifications/${verificationUuid}/timeline`,
    '/sandbox/v1/exchanges',
    `/console/verifications/${verificationUuid}`,
    '/console/exchanges',
  ])
    expect([path, (await fetch(world.url + path)).status]).toEqual([path, 200]);
}, 60_000);
