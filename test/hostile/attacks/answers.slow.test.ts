import { expect, test } from 'vitest';
import { robotVerificationOf } from '../../support/requests/from-robot.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createProgramWorld } from '../../support/world/program-world.ts';

/** The limits of requests count for the answers of a VASP, too. */

const world = await forFile(createProgramWorld());

test('an answer nested 6,000 deep is no answer, and the pages of its verification are shown', async () => {
  const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`;
  world.vasp.script('verifyUser', undefined, { body: `{"result":"VERIFIED","ivms101":${deep}}` });
  const { verificationUuid } = await world.api.robotVerifyUser(robotVerificationOf(world, { symbol: 'ETH' }));
  await world.idle();
  expect(await world.api.verification(verificationUuid)).toMatchObject({ result: 'DENIED', reason: 'UNDEFINED-ERROR' });
  for (const path of [
    `/v1/verifications/${verificationUuid}`,
    `/sandbox/v1/verifications/${verificationUuid}/timeline`,
    '/sandbox/v1/exchanges',
    `/console/verifications/${verificationUuid}`,
    '/console/exchanges',
  ])
    expect([path, (await fetch(world.url + path)).status]).toEqual([path, 200]);
}, 60_000);

test('a refused request nested 6,000 deep stands in the exchanges, and their page is shown', async () => {
  const body = `{"keyType":${'['.repeat(6_000)}${']'.repeat(6_000)}}`;
  const headers = { 'content-type': 'application/json' };
  const refused = await fetch(`${world.url}/v1/verifications`, { method: 'POST', headers, body });
  expect(refused.status).toBe(400);
  const [newest] = (await world.api.exchanges({ limit: 1 })).exchanges;
  for (const path of ['/sandbox/v1/exchanges', `/console/exchanges?shown=${newest!.id}`]) {
    const answer = await fetch(world.url + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).toContain('[[[[[[');
  }
}, 60_000);
