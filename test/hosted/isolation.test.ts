import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import {
  createHostedWorld,
  type HostedTenant,
  type HostedWorld,
  verificationBy,
} from '../support/world/hosted-world.ts';

const MARK = 'Alicemark';

let world: HostedWorld;
let vasp: TestedVasp;
let alice: HostedTenant;
let bob: HostedTenant;
/** She has asked nothing, so nothing of another VASP stands in her own exchanges. */
let eve: HostedTenant;
/** Ids of Alice's things, and of things that do not exist, by kind. */
let pairs: Record<string, readonly [hers: string, nobodys: string]>;
let uuid: string;

beforeAll(async () => {
  world = await createHostedWorld();
  vasp = await testedVasp();
  alice = await world.register({ name: `${MARK} VASP`, endpoints: vasp.endpoints });
  bob = await world.register({ name: 'Bob' });
  eve = await world.register({ name: 'Eve' });
  const request = await verificationBy(alice);
  const marked = JSON.parse(JSON.stringify(request).replaceAll(/"Ethan"|"Cook"/g, `"${MARK}"`));
  ({ verificationUuid: uuid } = await alice.api.verifyUser(marked));
  await vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  await alice.api.putUser(`${MARK.toLowerCase()}-user`, {
    kind: 'natural',
    names: { lastName: MARK, firstName: MARK },
    kyc: true,
  } as never);
  const fault = await alice.api.addFault({ target: 'callback', mode: 'drop', verificationUuid: uuid } as never);
  const { callbacks } = await alice.api.callbacks({ verificationUuid: uuid });
  const run = await alice.api.startRun({ plan: 'security', modules: ['S4'], unattended: true } as never);
  const { keys } = (await alice.api.call<{ keys: { id: string }[] }>('GET', '/sandbox/v1/keys')).body;
  pairs = {
    uuid: [uuid, '8557f2b2-985e-431f-8d52-75c2e5a01e46'],
    vaspId: [alice.vaspId, '7777777777777777777'],
    fault: [fault.id, '987654'],
    callback: [callbacks[0]!.id, '987654'],
    run: [run.id, '8557f2b2-985e-431f-8d52-75c2e5a01e46'],
    key: [keys[0]!.id, '8557f2b2-985e-431f-8d52-75c2e5a01e46'],
    user: [`${MARK.toLowerCase()}-user`, 'nobodys-user'],
  };
});
afterAll(async () => {
  await world.close();
  await vasp.close();
});

interface Operation {
  method: string;
  path: string;
  example: unknown;
}

async function operations(): Promise<Operation[]> {
  const { body } = await world.stranger.call<{ paths: Record<string, Record<string, Json>> }>('GET', '/openapi.json');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, example: exampleOf(operation) })),
  );
}
type Json = { [member: string]: never };

function exampleOf(operation: Json): unknown {
  const content = (operation as unknown as { requestBody?: { content: Record<string, { examples?: object }> } })
    .requestBody?.content['application/json'];
  const [first] = Object.values(content?.examples ?? {}) as { value: unknown }[];
  return first?.value;
}

const SLOW = /\/events$|\/mailbox$|^\/devnet|\/advance$|\/faucet$|\/registrations$/;

describe('what belongs to another VASP does not exist', () => {
  test('in every path: the same status and the same body', async () => {
    let asked = 0;
    for (const { method, path, example } of await operations()) {
      if (!path.includes('{') || SLOW.test(path)) continue;
      for (const [hers, nobodys] of Object.values(pairs)) {
        const ask = async (id: string) => {
          const answer = await bob.api.call(method, path.replace(/\{\w+\}/g, id), example);
          return [path, method, answer.status, JSON.stringify(answer.body)?.replaceAll(`(${id})`, '(ID)')];
        };
        // Alone the id of a user may be chosen by both.
        if (method === 'PUT' && path.includes('/users/')) continue;
        const [one, other] = [await ask(hers), await ask(nobodys)];
        expect(one).toEqual(other);
        expect(one[2]).toBeGreaterThanOrEqual(400);
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(80);
  });

  test('in every body and query that names a verification', async () => {
    const calls: [string, string, ((id: string) => object)?][] = [
      ['POST', '/v1/verifications/tx', id => ({ verificationUuid: id, txHash: '0x1' })],
      ['POST', '/v1/verifications/error', id => ({ verificationUuid: id, result: 'ERROR', reason: 'X' })],
      ['POST', '/v1/verifications/tx/inquiry', id => ({ verificationUuid: id })],
      ['POST', '/v1/risk-assessment/providerA-sanction', id => ({ verificationUuid: id })],
      ['POST', '/v1/risk-assessment/providerA-kyt', id => ({ verificationUuid: id })],
      ['POST', '/v1/risk-assessment/providerB-wco', id => ({ verificationUuid: id })],
      ['POST', '/vega/robot/v1.0/action/tx/inquiry', id => ({ verificationUuid: id })],
      ['POST', '/vega/robot/v1.0/action/withdrawal', id => ({ verificationUuid: id })],
      ['POST', '/vega/robot/v1.0/action/verifications/tx', id => ({ verificationUuid: id, txHash: '0x1' })],
      [
        'POST',
        '/vega/robot/v1.0/action/verifications/error',
        id => ({ verificationUuid: id, result: 'ERROR', reason: 'X' }),
      ],
      ['PUT', '/sandbox/v1/faults', id => ({ target: 'callback', mode: 'drop', verificationUuid: id })],
      ['GET', '/sandbox/v1/events?verificationUuid=ID'],
      ['GET', '/sandbox/v1/callbacks?verificationUuid=ID'],
      ['GET', '/sandbox/v1/mailbox?verificationUuid=ID'],
      ['GET', '/sandbox/v1/assessments?verificationUuid=ID'],
      ['GET', '/sandbox/v1/transfers?verificationUuid=ID'],
      ['GET', '/sandbox/v1/verifications?search=ID'],
    ];
    for (const [method, path, body] of calls) {
      const ask = async (id: string) => {
        const answer = await bob.api.call(method, path.replace('ID', id), body?.(id));
        return [path, answer.status, JSON.stringify(answer.body)?.replaceAll(`(${id})`, '(ID)')];
      };
      expect(await ask(pairs.uuid![0])).toEqual(await ask(pairs.uuid![1]));
    }
  });

  test('in every list: nothing of the other but id and name', async () => {
    const lists = (await operations()).filter(
      ({ method, path }) => method === 'GET' && !path.includes('{') && !SLOW.test(path),
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const { path } of lists.filter(each => each.path.startsWith('/sandbox') || each.path.startsWith('/v1'))) {
      const { body } = await eve.api.call('GET', path);
      const text = JSON.stringify(body);
      if (path === '/v1/vasps') expect(text).toContain(alice.vaspId);
      else for (const mark of [uuid, MARK, alice.vaspId, vasp.url]) expect([path, text]).not.toContain(mark);
      expect(text).not.toContain(new URL(vasp.endpoints.callback!).host);
    }
  });

  test('in the stream of events', async () => {
    const seen: unknown[] = [];
    const done = new AbortController();
    const reading = (async () => {
      for await (const event of eve.api.events({ after: '0.0' }, { signal: done.signal })) seen.push(event);
    })().catch(() => undefined);
    await alice.api.removeFaults();
    await alice.api.advance('1s');
    await eve.api.advance('1s');
    await expect.poll(() => JSON.stringify(seen)).toContain('clock');
    done.abort();
    await reading;
    for (const mark of [uuid, MARK, alice.vaspId]) expect(JSON.stringify(seen)).not.toContain(mark);
  });
});

test("a reset deletes nothing of the other's", async () => {
  const before = (await alice.api.verification(uuid)).result;
  await bob.api.reset();
  expect((await alice.api.verification(uuid)).result).toBe(before);
  const carol = await world.register({ name: 'Carol' });
  const request = await verificationBy(alice);
  const { verificationUuid } = await alice.api.verifyUser({ ...request, beneficiaryVaspId: carol.vaspId });
  await carol.api.reset();
  expect((await alice.api.verification(verificationUuid)).verificationUuid).toBe(verificationUuid);
});

test('no other VASP changes a registration, or reads it', async () => {
  const put = await bob.api.call('PUT', `/sandbox/v1/vasps/${alice.vaspId}`, { name: 'Mine' });
  const absent = await bob.api.call('PUT', '/sandbox/v1/vasps/7777777777777777777', { name: 'Mine' });
  expect([put.status, absent.status]).toEqual([404, 404]);
  const { vasps } = await bob.api.registeredVasps();
  expect(vasps.map(({ vaspId }) => vaspId)).toEqual([bob.vaspId]);
  expect((await client(world.url, { apiKey: alice.apiKey }).registeredVasps()).vasps[0]!.name).toBe(`${MARK} VASP`);
});
