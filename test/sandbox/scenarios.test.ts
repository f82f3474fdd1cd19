import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { REASON_CODES } from '../../src/contract/reasons.ts';
import { createWorld, type World } from '../support/world/world.ts';

interface Scenario {
  id: string;
  operation: string;
  path?: string;
  requests?: Record<string, object>;
  advance?: string;
  expect?: object;
}

let world: World;
let scenarios: Scenario[];
beforeAll(async () => {
  world = await createWorld();
  ({ scenarios } = await call('GET', '/sandbox/v1/scenarios'));
});
afterAll(() => world.close());

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(world.url + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return answer.json() as never;
}

const named = (operation: string) => scenarios.filter(scenario => scenario.operation === operation);

test('PROD-4: every reason of REF-2.3 stands in the catalogue, and every behaviour', () => {
  expect(named('verify-user').map(({ id }) => id)).toEqual(REASON_CODES.map(code => `verify-user: ${code}`));
  expect(named('verify-account')).toHaveLength(6);
  const behaviours = scenarios.filter(({ id }) => id.startsWith('behaviour: ')).map(({ id }) => id);
  expect(behaviours).toEqual(
    expect.arrayContaining([
      'behaviour: never-answers',
      'behaviour: answers-late',
      'behaviour: transfer-pending',
      'behaviour: transfer-canceled',
      'behaviour: sanctioned-address',
    ]),
  );
  for (const operation of ['assess-sanction', 'assess-kyt', 'assess-wco'])
    expect(named(operation).length).toBeGreaterThan(0);
});

describe.each(ASSET_SYMBOLS)('PROD-4: what the catalogue promises is what happens, %s', symbol => {
  test('user verifications', async () => {
    for (const { id, path, requests, advance, expect: promised } of named('verify-user')) {
      const { verificationUuid } = (await call('POST', path!, requests![symbol])) as {
        verificationUuid: string;
      };
      await world.advance(advance ?? '0s');
      const callback = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
      expect(callback, id).toMatchObject(promised!);
    }
  });

  test('account verifications', async () => {
    for (const { id, path, requests, expect: promised } of named('verify-account'))
      expect(await call('POST', path!, requests![symbol]), id).toMatchObject(promised!);
  });
});
