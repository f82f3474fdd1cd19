import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { robotVasp } from '../support/process/command-line.ts';
import { until } from '../support/until.ts';
import { CELLS, type Cell, type CellsWorld, createCellsWorld } from '../support/world/cells-world.ts';

/** A key leads to its cell, also after the cell has died and another volume has taken its place. */

let world: CellsWorld;
const keys = new Map<Cell, string>();
beforeAll(async () => {
  world = await createCellsWorld();
  for (const name of CELLS) keys.set(name, (await world.register(name)).apiKey);
});
afterAll(() => world?.close());

test('a key leads to its cell and to no other', async () => {
  for (const [name, apiKey] of keys) {
    expect(apiKey).toMatch(new RegExp(`^rv_${name}_`));
    expect(await world.statusOf(apiKey)).toBe(200);
    for (const [other, { url }] of world.cells)
      expect([name, other, await world.statusOf(apiKey, url)]).toEqual([name, other, name === other ? 200 : 401]);
  }
});

test('a chain client has the key in the address', async () => {
  const answer = await fetch(`${world.url}/devnet/ethereum?key=${keys.get('c')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ result: '0x7a69' })]);
});

test('a cell that died is restored from its backup, and the others do not notice', async () => {
  const b = world.cells.get('b')!;
  const database = join(b.folder, 'robot.sqlite');
  const copy = join(world.cells.get('a')!.folder, 'copy-of-b');
  expect(await robotVasp(['backup', copy], { DATABASE_PATH: database })).toMatchObject({ code: 0 });
  await b.kill();
  await until(async () => (await world.statusOf(keys.get('b')!).catch(() => 503)) === 503);
  expect(await world.statusOf(keys.get('a')!)).toBe(200);
  rmSync(b.folder, { recursive: true });
  expect(await robotVasp(['restore', copy], { DATABASE_PATH: database })).toMatchObject({ code: 0 });
  await b.start();
  await until(async () => (await world.statusOf(keys.get('b')!)) === 200);
});
