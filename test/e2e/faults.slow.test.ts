import { afterEach, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

const world = await forFile(createProgramWorld());
afterEach(async () => {
  world.vasp.script('callback', undefined, 'ordinary');
  await world.api.removeFaults();
});

const killAndStart = async () => {
  await world.kill();
  await world.start();
};
const faultsIn = async (uuid: string) =>
  (await world.api.timeline(uuid)).timeline.filter(({ what }) => what === 'fault').length;

test('SIGKILL while a callback that is to be taken as 503 is on its way: the fault hits it once, not twice', async () => {
  world.vasp.script('callback', undefined, new Promise<void>(() => {}), 'ordinary');
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 1 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.vasp.arrived('callback', uuid, 1);
  await killAndStart();
  await world.vasp.arrived('callback', uuid, 2);
  await world.api.advance('2s');
  const [callback] = (await world.api.callbacks({ verificationUuid: uuid })).callbacks;
  expect(callback).toMatchObject({ status: 'DELIVERED', attempts: [{ status: 503 }, { status: 200 }] });
  expect(world.vasp.callbacks(uuid)).toHaveLength(3);
  expect(await faultsIn(uuid)).toBe(1);
});

test('SIGKILL over and over while callbacks get lost: as many are lost as were ordered', async () => {
  const uuids: string[] = [];
  await world.api.addFault({ target: 'callback', mode: 'drop', times: 10 });
  for (let round = 0; round < 3; round++) {
    const asked = Array.from({ length: 10 }, () =>
      world.api.verifyUser(verificationOf(world)).then(
        ({ verificationUuid }) => uuids.push(verificationUuid),
        () => {},
      ),
    );
    await Promise.race(asked);
    await killAndStart();
    await Promise.all(asked);
  }
  await world.api.advance('1m');
  const { callbacks } = await world.api.callbacks({ limit: 999 });
  const lost = callbacks.filter(({ attempts }) => attempts.some(({ error }) => error?.includes('drop')));
  const [fault] = (await world.api.faults()).faults;
  expect(lost.length).toBe(fault?.used ?? 10);
  for (const { verificationUuid, status } of callbacks) {
    const isLost = lost.some(each => each.verificationUuid === verificationUuid);
    expect(status).toBe(isLost ? 'LOST' : 'DELIVERED');
    if (isLost) expect(world.vasp.callbacks(verificationUuid)).toEqual([]);
  }
  expect(uuids.length).toBeGreaterThan(0);
});
