import { afterAll, beforeAll, expect, test } from 'vitest';
import { userRequest } from '../../src/sandbox/scenarios/requests.ts';
import { createHostedWorld, type HostedTenant, type HostedWorld } from '../support/world/hosted-world.ts';

/** A uuid of another VASP takes as long as one that nobody has. Apart from the suite, because it compares durations. */

const TRIES = 1_000;
const NOBODYS = '8557f2b2-985e-431f-8d52-75c2e5a01e46';
/** Of the medians; the noise of one machine is greater than a row that is read. */
const MOST_DIFFERENCE_MS = 0.25;
let world: HostedWorld;
let bob: HostedTenant;
let hers: string;
beforeAll(async () => {
  world = await createHostedWorld({ QUOTA_REQUESTS_PER_SECOND: '100000', QUOTA_BURST: '100000' });
  const alice = await world.register();
  bob = await world.register();
  const { users, robot } = await alice.api.info();
  const user = users.find(({ id }) => id === 'taylor-robbins')!;
  const from = '0x5811001506550d8356a215be229c15b6ef371a9b';
  const request = userRequest({ robotVaspId: robot.vaspId, user, symbol: 'ETH', amount: '0.024', from });
  ({ verificationUuid: hers } = await alice.api.verifyUser(request));
});
afterAll(() => world.close());

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const CALLS: [method: string, path: string, body?: (uuid: string) => object][] = [
  ['GET', '/v1/verifications/ID'],
  ['GET', '/sandbox/v1/verifications/ID/timeline'],
  ['POST', '/v1/verifications/tx/inquiry', verificationUuid => ({ verificationUuid })],
  ['POST', '/vega/robot/v1.0/action/withdrawal', verificationUuid => ({ verificationUuid })],
];

test.each(CALLS)('%s %s: no measurable difference in 1,000 tries', async (method, path, body) => {
  const durations: Record<'hers' | 'nobodys', number[]> = { hers: [], nobodys: [] };
  const measure = async (whose: keyof typeof durations) => {
    const uuid = whose === 'hers' ? hers : NOBODYS;
    const since = performance.now();
    const { status } = await bob.api.call(method, path.replace('ID', uuid), body?.(uuid));
    durations[whose].push(performance.now() - since);
    expect(status).toBe(404);
  };
  for (let tries = 0; tries < TRIES; tries++)
    for (const whose of tries % 2 === 0 ? (['hers', 'nobodys'] as const) : (['nobodys', 'hers'] as const))
      await measure(whose);
  const [one, other] = [median(durations.hers), median(durations.nobodys)];
  console.info(`${method} ${path}: ${one.toFixed(3)} ms hers, ${other.toFixed(3)} ms nobody's`);
  expect(Math.abs(one - other)).toBeLessThan(MOST_DIFFERENCE_MS);
});
