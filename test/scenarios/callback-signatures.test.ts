import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import type { Received } from '../support/vasp/tested-vasp.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** WIRE-3.4: callbacks are signed by Standard Webhooks. The published package verifies them. */

const MINUTE = 60_000;
let now: number;
let world: World;
beforeAll(async () => {
  now = Date.now();
  world = await createWorld({ clock: { now: () => now } });
});
beforeEach(() => {
  now = Date.now();
});
afterAll(() => world.close());

/** The attempts at a callback about a new verification; the first `failures` are answered 500. */
async function received(failures = 0): Promise<Received[]> {
  const failed = Array.from({ length: failures }, () => ({ status: 500, body: {} }));
  world.vasp.script('callback', undefined, ...failed, 'ordinary');
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.idle();
  for (let i = 0; i < failures; i++) {
    now += 2_000;
    await world.advance(`${2 + 4 * i}s`); // D-13: the next attempt alone
  }
  return world.vasp.received('callback', uuid);
}

const headersOf = ({ headers }: Received) =>
  Object.fromEntries(['id', 'timestamp', 'signature'].map(name => [`webhook-${name}`, headers.get(`webhook-${name}`)]));
const verify = (secret: string, each: Received) =>
  new Webhook(secret).verify(each.text, headersOf(each) as Record<string, string>);

test('without a signing secret a callback has none of the headers', async () => {
  const [callback] = await received();
  expect(headersOf(callback!)).toEqual({ 'webhook-id': null, 'webhook-timestamp': null, 'webhook-signature': null });
});

describe('with a signing secret', () => {
  let secret: string;
  beforeAll(async () => {
    ({ signingSecret: secret } = await world.api.rollSigningSecret());
  });

  test('every attempt verifies: the id stays, the time is that of the attempt', async () => {
    const attempts = await received(2);
    expect(attempts).toHaveLength(3);
    for (const attempt of attempts) expect(verify(secret, attempt)).toEqual(attempt.body);
    const ids = attempts.map(({ headers }) => headers.get('webhook-id'));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^msg_[\w-]{27}$/);
    const times = attempts.map(({ headers }) => Number(headers.get('webhook-timestamp')));
    expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([2, 2]);
    const [other] = await received();
    expect(other!.headers.get('webhook-id')).not.toBe(ids[0]);
  });

  test('a changed body, another secret and an old time do not verify', async () => {
    const [callback] = await received();
    const changed = { ...callback!, text: `${callback!.text} ` };
    expect(() => verify(secret, changed)).toThrow('No matching signature');
    const another = `whsec_${Buffer.from('another secret, 24 bytes').toString('base64')}`;
    expect(() => verify(another, callback!)).toThrow('No matching signature');
    now -= 6 * MINUTE;
    const [old] = await received();
    expect(() => verify(secret, old!)).toThrow('too old');
  });

  test('however often it is rolled, the five newest sign', async () => {
    const secrets: string[] = [];
    for (let rolled = 0; rolled < 20; rolled++)
      secrets.push((await world.api.rollSigningSecret({ overlap: '24h' })).signingSecret);
    const [callback] = await received();
    expect(callback!.headers.get('webhook-signature')!.split(' ')).toHaveLength(5);
    for (const each of secrets.slice(-5)) expect(verify(each, callback!)).toEqual(callback!.body);
    expect(() => verify(secrets.at(-6)!, callback!)).toThrow('No matching signature');
    ({ signingSecret: secret } = await world.api.rollSigningSecret({ overlap: '0s' }));
    expect((await received())[0]!.headers.get('webhook-signature')!.split(' ')).toHaveLength(1);
  });

  test('during the overlap of a roll both secrets verify, after it the new one alone', async () => {
    const { signingSecret: next } = await world.api.rollSigningSecret({ overlap: '60s' });
    expect(next).not.toBe(secret);
    const [during] = await received();
    expect(during!.headers.get('webhook-signature')!.split(' ')).toHaveLength(2);
    for (const each of [secret, next]) expect(verify(each, during!)).toEqual(during!.body);
    now += MINUTE;
    const [after] = await received();
    expect(verify(next, after!)).toEqual(after!.body);
    expect(() => verify(secret, after!)).toThrow('No matching signature');
  });

  test('the sample callback of a check is signed too', async () => {
    const { signingSecret: next } = await world.api.rollSigningSecret({ overlap: '0s' });
    const before = world.vasp.received('callback').length;
    await world.api.checkVasp(world.vaspId, { endpoints: ['callback'] });
    const [sample] = world.vasp.received('callback').slice(before);
    expect(verify(next, sample!)).toEqual(sample!.body);
  });
});
