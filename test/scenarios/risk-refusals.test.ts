import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { FOREIGN, verificationOf } from '../support/requests/from-tested-vasp.ts';
import { anotherVasp, assess, incoming, KINDS, type Kind, outgoing, results } from '../support/requests/risk.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());
let other: Client;
let uuid = '';
beforeAll(async () => {
  other = await anotherVasp(world, '27372039731940771');
  uuid = await outgoing(world);
});

const refusal = async (api: Client, kind: Kind, body: unknown) => {
  const answer = await assess(api, kind, body);
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  return [answer.status, answer.body.code, answer.body.message];
};

describe.each(KINDS)('REF-7: %s', kind => {
  test('an open verification is refused, a completed one is not', async () => {
    const request = verificationOf(world, { user: 'never-answers' });
    const { verificationUuid } = await world.api.verifyUser(request);
    expect(await refusal(world.api, kind, { verificationUuid })).toEqual([
      400,
      'BAD-REQUEST',
      `Verification(${verificationUuid}) is not completed yet`,
    ]);
    await world.advance('5s');
    expect((await world.api.verification(verificationUuid)).result).toBe('ERROR');
    expect((await assess(world.api, kind, { verificationUuid })).status).toBe(200);
  });
});

test.each([
  ['DENIED', 'ethan-cook'],
  ['UNKNOWN', 'unknown-wallet'],
])('a verification with result %s is completed', async (result, user) => {
  const denied = await outgoing(world, { user });
  expect((await world.api.verification(denied)).result).toBe(result);
  for (const kind of KINDS) expect((await assess(world.api, kind, { verificationUuid: denied })).status).toBe(200);
});

test('REF-4.2: a network that is not a text is refused', async () => {
  const [status, code, message] = await refusal(world.api, 'kyt', { verificationUuid: uuid, network: 7 });
  expect([status, code, message]).toEqual([400, 'BAD-REQUEST', '`network` should be text.']);
});

test('REF-4.2: a network that cannot be derived is required', async () => {
  const usdc = await incoming(world, other, {
    change: request => {
      request.assetInfo.symbol = 'USDC';
      delete request.assetInfo.network;
    },
  });
  await other.reportTransaction(usdc, '0x01');
  const [status, code, message] = await refusal(world.api, 'kyt', { verificationUuid: usdc });
  expect([status, code, message]).toEqual([400, 'BAD-REQUEST', '`network` is required.']);
  expect((await assess(world.api, 'kyt', { verificationUuid: usdc, network: 'Polygon' })).status).toBe(200);
});

test.each(['no json', '7', '"text"', '[]', '{"version":"1.0"}', 'null'])(
  'REF-4.3: a wrong payload text is refused: %s',
  async payload => {
    const [status, code] = await refusal(world.api, 'wco', { verificationUuid: uuid, payload });
    expect([status, code]).toEqual([400, 'BAD-REQUEST']);
  },
);

test('REF-4.2: the beneficiary VASP before the report: 400 UNSUPPORTED-RISK-ASSESSMENT, and nothing is stored', async () => {
  const into = await incoming(world, other);
  const [status, code] = await refusal(world.api, 'kyt', { verificationUuid: into });
  expect([status, code]).toEqual([400, 'UNSUPPORTED-RISK-ASSESSMENT']);
  expect((await world.api.call('GET', `/sandbox/v1/assessments?verificationUuid=${into}`)).body).toEqual({
    assessments: [],
  });
});

const WRONG = [
  ['sanction', 'PROVIDER_A_SANCTION_API_KEY', 'sanctionApiKey', 401, 'UNKNOWN-ERROR-CODE', 'Invalid API Key'],
  ['kyt', 'PROVIDER_A_KYT_API_KEY', 'kytApiKey', 403, 'UNKNOWN-ERROR-CODE', 'AccessDenied'],
  ['wco', 'PROVIDER_B_WCO_API_KEY', 'wcoApiKey', 401, 'UNKNOWN-ERROR-CODE', 'Invalid API Key'],
  ['wco', 'PROVIDER_B_WCO_GROUP_ID', 'wcoGroupId', 404, 'GROUP_NOT_FOUND', expect.any(String)],
] as const;

describe('REF-7: keys that the provider refuses', () => {
  test.each(WRONG)('%s, %s wrong in the configuration', async (kind, name, _, status, code, message) => {
    const strict = await createWorld({ env: { [name]: 'wrong' } });
    onTestFinished(() => strict.close());
    const verificationUuid = await outgoing(strict);
    expect(await refusal(strict.api, kind, { verificationUuid })).toEqual([status, code, message]);
    for (const spared of KINDS.filter(each => each !== kind))
      expect((await assess(strict.api, spared, { verificationUuid })).status).toBe(200);
    await strict.advance('1h');
    const type = kind === 'kyt' ? 'PROVIDER_A_KYT_RESULT' : 'PROVIDER_B_WCO_RESULT';
    if (kind !== 'sanction') expect(results(strict, verificationUuid, type)).toEqual([]);
  });

  test.each(WRONG)('%s, wrong for only one registered VASP (%s)', async (kind, _, name, status, code, message) => {
    const vaspId = `55${WRONG.findIndex(row => row[2] === name)}`;
    const registration = { name: 'Own keys', providerKeys: { [name]: 'wrong' } };
    const own = await anotherVasp(world, vaspId, registration);
    const request = verificationOf(world, { from: FOREIGN.ETH });
    const { verificationUuid } = await own.verifyUser(request);
    await own.mailbox({ wait: '20s', verificationUuid });
    expect(await refusal(own, kind, { verificationUuid })).toEqual([status, code, message]);
    expect((await assess(world.api, kind, { verificationUuid: uuid })).status).toBe(200);

    await own.registerVasp(vaspId, { name: 'Own keys' });
    expect((await assess(own, kind, { verificationUuid })).status).toBe(200);
  });

  test('the keys of a VASP are never shown', async () => {
    const providerKeys = {
      sanctionApiKey: 'very-secret-1',
      kytApiKey: 'very-secret-2',
      wcoApiKey: 'very-secret-3',
      wcoGroupId: 'very-secret-4',
    };
    const answer = await world.api.registerVasp('777', { name: 'Secretive', providerKeys });
    const shown = [
      answer,
      (await world.api.call('GET', '/sandbox/v1/vasps')).body,
      await world.api.vasps(),
      await world.api.info(),
    ];
    expect(JSON.stringify(shown)).toContain('Secretive');
    expect(JSON.stringify(shown)).not.toContain('very-secret');
  });
});
