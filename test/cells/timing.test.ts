import { beforeAll, expect, test } from 'vitest';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant } from '../support/world/hosted-world.ts';

/** A uuid of another VASP takes as long as one that nobody has. Apart from the suite, because it compares durations. */

const TRIES = 1_000;
const NOBODYS = '8557f2b2-985e-431f-8d52-75c2e5a01e46';
/** Five standard deviations of a fair coin. */
const MAX_SURPLUS = (5 * Math.sqrt(TRIES)) / 2;
const world = await forFile(createHostedWorld());
let bob: HostedTenant;
let hers: string;
beforeAll(async () => {
  const alice = await world.register();
  bob = await world.register();
  const { users, robot } = await alice.api.info();
  const user = users.find(({ id }) => id === 'taylor-robbins')!;
  const from = '0x5811001506550d8356a215be229c15b6ef371a9b';
  const request = userRequest({ robotVaspId: robot.vaspId, user, symbol: 'ETH', amount: '0.024', from });
  ({ verificationUuid: hers } = await alice.api.verifyUser(request));
});

const CALLS: [method: string, path: string, body?: (uuid: string) => object][] = [
  ['GET', '/v1/verifications/ID'],
  ['GET', '/sandbox/v1/verifications/ID/timeline'],
  ['POST', '/v1/verifications/tx/inquiry', verificationUuid => ({ verificationUuid })],
  ['POST', '/vega/robot/v1.0/action/withdrawal', verificationUuid => ({ verificationUuid })],
];

test.each(CALLS)('%s %s: no measurable difference in 1,000 tries', async (method, path, body) => {
  const measure = async (uuid: string): Promise<number> => {
    const since = performance.now();
    const { status } = await bob.api.call(method, path.replace('ID', uuid), body?.(uuid));
    const duration = performance.now() - since;
    expect(status).toBeGreaterThanOrEqual(400);
    return duration;
  };
  let slower = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const isHersFirst = tries % 2 === 0;
    const first = await measure(isHersFirst ? hers : NOBODYS);
    const second = await measure(isHersFirst ? NOBODYS : hers);
    if (isHersFirst ? first > second : second > first) slower += 1;
  }
  console.info(`${method} ${path}: hers was slower ${slower} times of ${TRIES}`);
  expect(Math.abs(slower - TRIES / 2)).toBeLessThan(MAX_SURPLUS);
});
