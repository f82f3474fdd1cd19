import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '../../src/console/page.ts';
import { isFor, PAGES } from '../../src/console/pages.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import {
  createHostedWorld,
  type HostedTenant,
  type HostedWorld,
  verificationBy,
} from '../support/world/hosted-world.ts';

/** Every page of the console, as it stands in the table of pages, with the session of another VASP and with none. */

const MARK = 'Alicemark';
const ABSENT = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

let world: HostedWorld;
let vasp: TestedVasp;
let alice: HostedTenant;
/** He asks for her things by their ids. */
let bob: HostedTenant;
/** She does not. */
let eve: HostedTenant;
let uuid: string;
/** For each path with parameters: the one that leads to a thing of Alice, and the one that leads to nothing. */
let places: Record<string, readonly [hers: string, nobodys: string]>;

beforeAll(async () => {
  world = await createHostedWorld();
  vasp = await testedVasp();
  alice = await world.register({ name: `${MARK} VASP`, endpoints: vasp.endpoints });
  bob = await world.register({ name: 'Bob' });
  eve = await world.register({ name: 'Eve' });
  const request = JSON.stringify(await verificationBy(alice)).replaceAll(/"Ethan"|"Cook"/g, `"${MARK}"`);
  ({ verificationUuid: uuid } = await alice.api.verifyUser(JSON.parse(request)));
  await vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  const user = `${MARK.toLowerCase()}-user`;
  await alice.api.putUser(user, { kind: 'natural', names: { lastName: MARK, firstName: MARK }, kyc: true });
  await alice.api.addFault({ target: 'callback', mode: 'drop', verificationUuid: uuid });
  const run = await alice.api.startRun({ plan: 'security', modules: ['S4'], unattended: true });
  const { users } = await alice.api.info();
  const account = users.find(({ id }) => id === 'taylor-robbins')!.accounts.ETH!;
  const { txHash } = await alice.api.faucet('ETH', account, '0.1');
  places = {
    '/checks/:id': [`/checks/${run.id}`, `/checks/${ABSENT}`],
    '/verifications/:uuid': [`/verifications/${uuid}`, `/verifications/${ABSENT}`],
    '/users/:id': [`/users/${user}`, '/users/nobodys-user'],
    '/chain/:symbol/:txHash': [`/chain/ETH/${txHash}`, `/chain/ETH/${txHash}`],
  };
});
afterAll(async () => {
  await world.close();
  await vasp.close();
});

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
  return ['', ...Object.keys(downloads).map(name => `/${name}`)].map(end => [place[0] + end, place[1] + end] as const);
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
    const marks = [uuid, MARK, alice.vaspId, vasp.url].filter(mark => text.includes(mark));
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
    const marks = [MARK, alice.vaspId, vasp.url].filter(mark => !path.includes(mark) && text.includes(mark));
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
