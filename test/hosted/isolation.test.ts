import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/console/page.ts';
import { isFor, PAGES } from '../../src/console/pages.ts';
import {
  createHostedWorld,
  type HostedTenant,
  type HostedWorld,
  type ServedTenant,
  verificationBy,
} from '../support/world/hosted-world.ts';

const MARK = 'Alicemark';
const ABSENT = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

let world: HostedWorld;
let alice: ServedTenant;
let bob: HostedTenant;
/** She has asked nothing, so nothing of another VASP stands in her own exchanges. */
let eve: HostedTenant;
/** Ids of Alice's things, and of things that do not exist, by kind. */
let pairs: Record<string, readonly [hers: string, nobodys: string]>;
let uuid: string;
/** For each page with parameters: the path that leads to a thing of Alice, and the one that leads to nothing. */
let places: Record<string, readonly [hers: string, nobodys: string]>;

beforeAll(async () => {
  world = await createHostedWorld();
  alice = await world.registerServed({ name: `${MARK} VASP` });
  bob = await world.register({ name: 'Bob' });
  eve = await world.register({ name: 'Eve' });
  const request = await verificationBy(alice);
  const marked = JSON.parse(JSON.stringify(request).replaceAll(/"Ethan"|"Cook"/g, `"${MARK}"`));
  ({ verificationUuid: uuid } = await alice.api.verifyUser(marked));
  await alice.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
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
    uuid: [uuid, ABSENT],
    vaspId: [alice.vaspId, '7777777777777777777'],
    fault: [fault.id, '987654'],
    callback: [callbacks[0]!.id, '987654'],
    run: [run.id, ABSENT],
    key: [keys[0]!.id, ABSENT],
    user: [`${MARK.toLowerCase()}-user`, 'nobodys-user'],
  };
  const { users } = await alice.api.info();
  const { txHash } = await alice.api.faucet('ETH', users[0]!.accounts.ETH!, '0.1');
  places = {
    '/checks/:id': [`/checks/${run.id}`, `/checks/${ABSENT}`],
    '/verifications/:uuid': [`/verifications/${uuid}`, `/verifications/${ABSENT}`],
    '/users/:id': [`/users/${pairs.user![0]}`, '/users/nobodys-user'],
    '/chain/:symbol/:txHash': [`/chain/ETH/${txHash}`, `/chain/ETH/${txHash}`],
  };
});
afterAll(async () => {
  await world.close();
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
      else for (const mark of [uuid, MARK, alice.vaspId, alice.vasp.url]) expect([path, text]).not.toContain(mark);
      expect(text).not.toContain(new URL(alice.vasp.endpoints.callback!).host);
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

describe('every page of the console', () => {
  async function sessionOf({ apiKey }: HostedTenant): Promise<string> {
    const body = new URLSearchParams({ apiKey, to: '/console' });
    const url = `${world.url}/console/sign-in`;
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', body });
    return answer.headers.get('set-cookie')!.split(';')[0]!;
  }
  const get = (path: string, cookie?: string) =>
    fetch(`${world.url}/console${path}`, { redirect: 'manual', headers: cookie ? { cookie } : {} });

  /** Throws for a page whose parameters have no place yet. */
  const placesOf = ({ path, downloads = {} }: Page): (readonly [hers: string, nobodys: string])[] => {
    const place = path.includes(':') ? places[path] : ([path, path] as const);
    if (!place) throw new Error(`add a thing of Alice for the page ${path}`);
    return ['', ...Object.keys(downloads).map(name => `/${name}`)].map(
      end => [place[0] + end, place[1] + end] as const,
    );
  };

  test('Alice sees her own things there', async () => {
    const cookie = await sessionOf(alice);
    for (const [path] of [places['/verifications/:uuid']!, places['/users/:id']!, places['/checks/:id']!])
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    expect(await (await get('/verifications', cookie)).text()).toContain(uuid);
  });

  test('with the session of another VASP: nothing of hers in any list', async () => {
    const cookie = await sessionOf(eve);
    const pages = PAGES.filter(page => isFor(page, 'hosted VASP') && !page.path.includes(':')).flatMap(placesOf);
    expect(pages.length).toBeGreaterThan(15);
    for (const [path] of pages) {
      const answer = await get(path, cookie);
      const text = await answer.text();
      const marks = [uuid, MARK, alice.vaspId, alice.vasp.url].filter(mark => text.includes(mark));
      expect([path, answer.status, marks]).toEqual([path, 200, []]);
    }
  });

  test('with the session of another VASP: nothing tells that a thing of hers exists', async () => {
    const cookie = await sessionOf(bob);
    const pages = PAGES.filter(page => isFor(page, 'hosted VASP')).flatMap(placesOf);
    const query = (id: string) => `?search=${id}&verificationUuid=${id}`;
    const asked = pages.map(([hers, nobodys]) => [hers + query(uuid), nobodys + query(ABSENT)] as const);
    for (const [path, absent] of [...asked, [`/find?search=${uuid}`, `/find?search=${ABSENT}`]] as const) {
      const [answer, { status }] = [await get(path, cookie), await get(absent, cookie)];
      const text = await answer.text();
      // The id that he asks for stands in his own exchanges.
      const marks = [MARK, alice.vaspId, alice.vasp.url].filter(mark => !path.includes(mark) && text.includes(mark));
      expect([path, answer.status, marks]).toEqual([path, status, []]);
    }
  });

  test('without a session: the sign-in page, whatever is asked for', async () => {
    const paths = [...PAGES.flatMap(placesOf).map(([hers]) => hers), `/find?search=${uuid}`, '/palette'];
    for (const path of [...paths, `/json/v1/verifications/${uuid}`]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('location')?.split('?')[0]]).toEqual([path, 303, '/console/sign-in']);
    }
    // A stream cannot lead anywhere: it only makes the page read itself.
    expect(await (await get('/events')).text()).toBe('event: changed\ndata: \n\n');
  });

  test('the stream of events of another session says nothing but that something has changed', async () => {
    const done = new AbortController();
    const headers = { cookie: await sessionOf(bob) };
    const stream = await fetch(`${world.url}/console/events`, { headers, signal: done.signal });
    await alice.api.removeFaults();
    const { value } = await stream.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('event: changed\ndata: \n\n');
    done.abort();
  });
});
