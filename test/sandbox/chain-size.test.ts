import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ file: true }));

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

test('in hosted mode it needs the attention of the operator, and of no VASP', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-size-'));
  const hosted = await createHostedWorld({ DATABASE_PATH: join(folder, 'robot.sqlite') });
  onTestFinished(async () => {
    await hosted.close();
    rmSync(folder, { recursive: true });
  });
  const { api } = await hosted.register();
  truncateSync(join(folder, 'robot.ethereum.json'), 201_000_000);
  const kindsFor = async ({ health }: typeof api) => (await health()).attention.map(({ what }) => what);
  expect(await kindsFor(hosted.operator)).toContain('chain-large');
  expect(await kindsFor(api)).not.toContain('chain-large');
});
