import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadScreening } from '../../src/screening/load.ts';
import { fixtureUsers } from '../support/judge/judge-request.ts';
import { FIXTURES } from '../support/paths.ts';
import { data } from '../support/screening/simulated-providers.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'screening-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('fixtures without screening data use the shipped data', () => {
  expect(loadScreening(folder, FIXTURES)).toEqual(data);
});

test.each([
  ['monitoring.json', '{"rules":[{"id":"x","level":"HUGE"}],"exposures":[]}', 'rules.0.level'],
  ['monitoring.json', '{', 'is not JSON'],
  ['watch-list.json', '[{"id":"x","kind":"GHOST","names":[],"category":"SANCTIONS"}]', '0.kind'],
  ['usd-rates.json', '{"KRW":"-1"}', 'KRW'],
  ['outages.json', '[{"of":{"nobody":"x"},"provider":"kyt","call":"register","times":1}]', '0.of'],
  ['sanctions.json', '[{"name":"x","description":"x","url":"https://x.example","of":[],"file":"gone.txt"}]', 'ENOENT'],
])('a wrong %s stops with an error that names file and problem', (file, content, problem) => {
  cpSync(join(FIXTURES, 'screening'), join(folder, 'screening'), { recursive: true });
  writeFileSync(join(folder, 'screening', file), content);
  const load = () => loadScreening(folder, FIXTURES);
  expect(load).toThrow(problem);
  expect(load).toThrow(folder);
});

test('every user in the shipped data exists', () => {
  const owners = [
    ...data.sanctions.flatMap(list => list.of),
    ...data.monitoring.exposures.map(each => each.of),
    ...data.outages.map(each => each.of),
  ];
  expect(owners.length).toBeGreaterThan(5);
  for (const owner of owners)
    expect(
      fixtureUsers.some(user =>
        'user' in owner ? user.id === owner.user : 'behaviour' in owner && user.behaviour === owner.behaviour,
      ),
      JSON.stringify(owner),
    ).toBe(true);
});
