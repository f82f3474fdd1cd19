import { expect, test } from 'vitest';
import { outgoing } from '../support/requests/risk.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A VASP that was built for brand names speaks only those. */
const world = await forFile(createWorld({ env: { PROVIDER_A_NAME: 'acmeChain', PROVIDER_B_NAME: 'globex' } }));

const post = async (path: string, uuid: string) => {
  const { status, body } = await world.api.call<Record<string, unknown>>('POST', path, { verificationUuid: uuid });
  return { status, body };
};
const REFERENCE_WORDS = /provider[AB]|PROVIDER_[AB]/;

test('REF-4.1: path and member carry the configured names', async () => {
  const uuid = await outgoing(world, { user: 'sanctioned-address' });
  const { status, body } = await post('/v1/risk-assessment/acmeChain-sanction', uuid);
  expect(status).toBe(200);
  expect(body).toEqual({ acmeChainSanction: expect.objectContaining({ status: 'SANCTION' }) });
  for (const path of ['providerA-sanction', 'providerA-kyt', 'providerB-wco'])
    expect((await post(`/v1/risk-assessment/${path}`, uuid)).status).toBe(404);
});

test('REF-6: callbackType and members carry the configured names everywhere', async () => {
  const uuid = await outgoing(world, { user: 'risk-several' });
  // The stand-in behind the server knows only the words of the reference.
  world.vasp.script('callback', uuid, { body: { result: true } });
  await post('/v1/risk-assessment/acmeChain-kyt', uuid);
  await post('/v1/risk-assessment/globex-wco', uuid);
  await world.advance('2s');
  const received = world.vasp.received('callback', uuid).map(each => each.body);
  expect(received.map(each => each.callbackType)).toEqual([
    'VERIFICATION_RESULT',
    'ACME_CHAIN_KYT_RESULT',
    'GLOBEX_WCO_RESULT',
  ]);
  expect(received.map(each => Object.keys((each.data?.riskAssessment as object | undefined) ?? {}))).toEqual([
    [],
    ['acmeChainKYT', 'acmeChainKYTAlerts'],
    ['globexWCO'],
  ]);
  const mailbox = await world.api.mailbox({ verificationUuid: uuid });
  expect(mailbox.callbacks.map(({ callbackType, data }) => ({ callbackType, data }))).toEqual(received);
  const shown = [
    received,
    await world.api.callbacks({ verificationUuid: uuid }),
    await world.api.assessments({ verificationUuid: uuid }),
    await world.api.exchanges({ verificationUuid: uuid }),
    await world.api.timeline(uuid),
  ];
  expect(JSON.stringify(shown).match(REFERENCE_WORDS)).toBeNull();
});

test('the mailbox filters by the configured names', async () => {
  const uuid = await outgoing(world);
  await post('/v1/risk-assessment/acmeChain-kyt', uuid);
  await world.advance('2s');
  const query = { verificationUuid: uuid, type: 'ACME_CHAIN_KYT_RESULT' };
  expect((await world.api.mailbox(query)).callbacks).toHaveLength(1);
});
