import { expect, test } from 'vitest';
import { systemRandom } from '../../src/kernel/random.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('UUIDs that are made one after another stand side by side', () => {
  const uuids = Array.from({ length: 6_400 }, () => systemRandom.uuid());
  for (const uuid of uuids) expect(uuid).toMatch(UUID_V4);
  expect(new Set(uuids).size).toBe(uuids.length);
  const changes = uuids.filter((uuid, i) => i > 0 && uuid.slice(0, 4) !== uuids[i - 1]!.slice(0, 4));
  expect(changes.length).toBeGreaterThan(20);
  expect(changes.length).toBeLessThanOrEqual(25);
  const stepsBack = uuids.filter((uuid, i) => i > 0 && uuid < uuids[i - 1]!);
  expect(stepsBack.length).toBeLessThanOrEqual(changes.length);
});
