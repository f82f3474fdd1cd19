import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ file: true });
});
afterAll(() => world.close());

const large = async () => (await world.api.health()).attention.filter(({ what }) => what === 'chain-large');

test('the size of each embedded chain', async () => {
  for (const { stateBytes } of (await world.api.health()).chains) expect(stateBytes).toBeGreaterThan(1_000);
  expect(await large()).toEqual([]);
});

test('a large chain needs attention', async () => {
  let folder = '';
  await world.restart(path => {
    folder = path;
  });
  // A file with a hole.
  truncateSync(join(folder, 'robot.ethereum.json'), 201_000_000);
  expect(await large()).toEqual([
    {
      what: 'chain-large',
      text: expect.stringMatching(/^The embedded chain of ETH has 201 MB of state.*\/ETH\/start-over/),
    },
  ]);
});
