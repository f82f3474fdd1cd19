import { expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

const KILLS = 5;
const AT_ONCE = 4;

const world = await forFile(createProgramWorld());

test('a verification that was answered keeps its result, and its callback arrives, wherever a kill came', async () => {
  const answered: string[] = [];
  /** One request after the other, until the program is gone. */
  const ask = async (): Promise<never> => {
    for (;;) answered.push((await world.api.verifyUser(verificationOf(world))).verificationUuid);
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const before = answered.length;
    const asking = Promise.allSettled(Array.from({ length: AT_ONCE }, ask));
    await until(() => answered.length > before + kill);
    await world.kill();
    await asking;
    await world.start();
  }
  expect(answered.length).toBeGreaterThan(KILLS);
  for (const uuid of answered) {
    const { verificationResult } = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(verificationResult).toBe('VERIFIED');
    await world.idle();
    const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
    expect(callbacks.map(({ status }) => status)).toEqual(['DELIVERED']);
    const { timeline } = await world.api.timeline(uuid);
    for (const [what, event] of ONCE)
      expect([what, event, timeline.filter(line => line.what === what && line.event === event)]).toEqual([
        what,
        event,
        [expect.anything()],
      ]);
  }
});

const ONCE = [
  ['verification', 'begin'],
  ['verification', 'verified'],
  ['judge', 'judged'],
  ['expectation', 'begin'],
  ['callback', 'delivered'],
] as const;
