import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { stateFile } from '../../src/devnet/ethereum/state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-state-'));
const path = join(folder, 'robot.ethereum.json');
const store = stateFile(path);
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(path, 'first'));

test('the state is there at every moment while it is replaced', async () => {
  let looks = 0;
  let isSaving = true;
  const watching = (async () => {
    for (; isSaving; await nextTurn()) {
      expect(existsSync(path)).toBe(true);
      looks += 1;
    }
  })();
  for (let save = 0; save < 100; save++) await store.save(gzipSync(`state ${save}`));
  isSaving = false;
  await watching;
  expect(looks).toBeGreaterThan(100);
  expect(readFileSync(path, 'utf8')).toBe('state 99');
  expect(readFileSync(`${path}.previous`, 'utf8')).toBe('state 98');
});

test('the dump of a node that has ended becomes the state, and the former state stays', () => {
  writeFileSync(`${path}.exit`, 'dump');
  store.adopt(`${path}.exit`);
  expect(existsSync(`${path}.exit`)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('dump');
  expect(readFileSync(`${path}.previous`, 'utf8')).toBe('first');
});

/** A disk of some megabytes, where this process may mount one. */
function smallDisk(megabytes: number): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'robot-vasp-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]).status === 0) return disk;
  rmSync(disk, { recursive: true });
  return undefined;
}
const [disk, larger] = [smallDisk(1), smallDisk(4)];
afterAll(() => {
  for (const mounted of [disk, larger]) {
    if (mounted === undefined) continue;
    spawnSync('umount', [mounted]);
    rmSync(mounted, { recursive: true });
  }
});

test.skipIf(larger === undefined)('a disk is nearly full while the next state has room', async () => {
  const onDisk = stateFile(join(larger!, 'robot.ethereum.json'));
  await onDisk.save(gzipSync('a'.repeat(500_000)));
  expect(await onDisk.isNearlyFull()).toBe(false);
  writeFileSync(join(larger!, 'filler'), 'b'.repeat(2_000_000));
  expect(await onDisk.isNearlyFull()).toBe(true);
  await onDisk.save(gzipSync('c'.repeat(500_000)));
});

test.skipIf(disk === undefined)(
  'on a full disk the former state makes room, and one that has no room leaves the last one',
  async () => {
    const path = join(disk!, 'robot.ethereum.json');
    const full = stateFile(path);
    const state = (letter: string, length = 300_000) => gzipSync(letter.repeat(length));
    const content = () => readFileSync(path, 'utf8').slice(0, 1);
    await full.save(state('a'));
    await full.save(state('b'));
    writeFileSync(join(disk!, 'other'), Buffer.alloc(350_000));
    await full.save(state('c'));
    await full.save(state('d'));
    expect(content()).toBe('d');
    await expect(full.save(state('e', 800_000))).rejects.toThrow('ENOSPC');
    expect([content(), existsSync(`${path}.new`)]).toEqual(['d', false]);
    await full.save(state('f'));
    expect(content()).toBe('f');
  },
);
