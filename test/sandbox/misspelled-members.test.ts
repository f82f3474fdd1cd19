import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const SANDBOX = '/sandbox/v1';

test.each<[method: 'POST' | 'PUT' | 'GET', path: string, body: object | undefined, code: string, message: string]>([
  [
    'POST',
    '/clock/advance',
    { duraton: '1s' },
    'MISSING-DURATION',
    '`duration` is required. `duraton` came: did you mean `duration`?',
  ],
  [
    'PUT',
    '/faults',
    { target: 'callback', mode: 'drop', tims: 2 },
    'BAD-REQUEST',
    '`tims` is not known. Did you mean `times`?',
  ],
  [
    'PUT',
    '/users/kim',
    { kind: 'natural', names: { lastname: 'Kim', firstName: 'Min' }, kyc: true },
    'MISSING-LAST-NAME',
    '`names.lastName` is required. `names.lastname` came: did you mean `names.lastName`?',
  ],
  [
    'POST',
    '/runs',
    { plan: 'security', unatended: true },
    'BAD-REQUEST',
    '`unatended` is not known. Did you mean `unattended`?',
  ],
  [
    'POST',
    '/runs',
    { plan: 'security', symbol: ['ETH'] },
    'BAD-REQUEST',
    '`symbol` is not known. Did you mean `symbols`?',
  ],
  ['GET', '/verifications?limt=3', undefined, 'BAD-REQUEST', '`limt` is not known. Did you mean `limit`?'],
  [
    'GET',
    '/callbacks?verification_uuid=x',
    undefined,
    'BAD-REQUEST',
    '`verification_uuid` is not known. Did you mean `verificationUuid`?',
  ],
  [
    'GET',
    '/callbacks?status=delivered',
    undefined,
    'BAD-REQUEST',
    '`status` should be one of `PENDING`, `DELIVERED`, `LOST`, `GIVEN-UP`, `MAILBOX`. Did you mean `DELIVERED`?',
  ],
  ['GET', '/mailbox?wait=90s', undefined, 'BAD-REQUEST', '`wait` should be a duration such as `30s`, at most 1m.'],
  ['GET', '/timers?state=pending', undefined, 'BAD-REQUEST', '`state` is not known. This call takes `limit`, `after`.'],
  [
    'GET',
    '/timers?state=pending&state=due',
    undefined,
    'BAD-REQUEST',
    '`state` is not known. This call takes `limit`, `after`.',
  ],
  ['GET', '/clock?limit=3', undefined, 'BAD-REQUEST', '`limit` is not known. This call takes no parameters.'],
])('%s %s names the member that is meant', async (method, path, sent, code, message) => {
  const { status, body } = await world.api.call(method, `${SANDBOX}${path}`, sent);
  expect([status, body]).toEqual([400, { code, message }]);
});

test('D-05: a member far from every name is an extension', async () => {
  const { status } = await world.api.call('POST', `${SANDBOX}/clock/advance`, { duration: '0s', comment: 'x' });
  expect(status).toBe(200);
});

test('D-54: calls of the network ignore a query parameter that is near to another', async () => {
  const { status } = await world.api.call('GET', '/v1/verifications?resut=VERIFIED', undefined);
  expect(status).toBe(200);
});
