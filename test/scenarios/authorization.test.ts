import { afterEach, describe, expect, test } from 'vitest';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { createWorld, type World, type WorldOptions } from '../support/world/world.ts';

let world: World;
afterEach(() => world.close());

/** Headers of a callback and of a status query. */
async function headersOf(options: WorldOptions): Promise<Headers[]> {
  world = await createWorld(options);
  const { uuid } = await verified(world);
  world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
  await world.advance('10m');
  const all = [...world.vasp.received('callback', uuid), ...world.vasp.received('transactionStatus', uuid)];
  expect(all).toHaveLength(2);
  return all.map(({ headers }) => headers);
}

describe('WIRE-3: the header of the tested VASP', () => {
  test('a token alone comes as `Authorization: Bearer <token>`', async () => {
    for (const headers of await headersOf({ authorization: { header: 'Authorization', token: 't0ken' } }))
      expect(headers.get('authorization')).toBe('Bearer t0ken');
  });

  test('under another name it comes bare', async () => {
    for (const headers of await headersOf({ authorization: { header: 'X-Api-Key', token: 't0ken' } })) {
      expect(headers.get('x-api-key')).toBe('t0ken');
      expect(headers.get('authorization')).toBeNull();
    }
  });

  test('without a token there is none', async () => {
    for (const headers of await headersOf({ authorization: { header: 'X-Api-Key' } })) {
      expect(headers.get('x-api-key')).toBeNull();
      expect(headers.get('authorization')).toBeNull();
      expect(headers.get('content-type')).toBe('application/json');
    }
  });

  test('a VASP that refuses the token gets its callback later, as after any failure', async () => {
    world = await createWorld({ authorization: { header: 'Authorization', token: 'agreed' } });
    const { api, vasp } = world;
    const registration = { name: 'Tested VASP', endpoints: vasp.endpoints };
    await api.registerVasp(world.vaspId, {
      ...registration,
      authorization: { header: 'Authorization', token: 'wrong' },
    });
    const { verificationUuid } = await api.verifyUser(verificationOf(world));
    await world.idle();
    const [refused] = (await api.callbacks({ verificationUuid })).callbacks;
    expect(refused).toMatchObject({ status: 'PENDING', attempts: [{ status: 401 }] });
    await api.registerVasp(world.vaspId, {
      ...registration,
      authorization: { header: 'Authorization', token: 'agreed' },
    });
    await world.advance('2s');
    const [delivered] = (await api.callbacks({ verificationUuid })).callbacks;
    expect(delivered).toMatchObject({ status: 'DELIVERED', attempts: [{ status: 401 }, { status: 200 }] });
  });
});

test('D-01: a key that nobody has is 401 UNAUTHORIZED', async () => {
  world = await createWorld();
  for (const authorization of ['Bearer rv_nobody', 'Basic abc', 'Bearer', '']) {
    const response = await fetch(`${world.url}/v1/vasps/self`, { headers: { authorization } });
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  }
});
