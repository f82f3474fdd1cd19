import { expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { requestHead, sendRaw } from '../support/http/raw-socket.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant } from '../support/world/hosted-world.ts';

/** What was refused before an endpoint saw it stands among the exchanges of its VASP, and of no other. */

const UUID = '4e4c6a9e-8c0b-4d3f-9f0e-6a9b8b1c2d3e';
const REPORT = '/v1/verifications/tx';

const world = await forFile(createHostedWorld());
const other = await world.register();

const raw = ({ apiKey }: HostedTenant, headers: Record<string, string>, body = '') =>
  sendRaw(
    Number(new URL(world.url).port),
    requestHead('POST', REPORT, { Host: '127.0.0.1', Authorization: `Bearer ${apiKey}`, ...headers }) + body,
    { quietMs: 300 },
  );
const limited = async ({ api, vaspId }: HostedTenant, times: number) => {
  await world.operator.changeTenant(vaspId, { quotas: { requestsPerSecond: 0, burst: 1 } });
  for (let n = 0; n <= times; n++) await api.call('POST', REPORT, { verificationUuid: UUID });
  await world.operator.changeTenant(vaspId, { quotas: { requestsPerSecond: 50, burst: 100 } });
};

const CASES: readonly [string, (by: HostedTenant) => Promise<unknown>, string][] = [
  ['over the limit', by => limited(by, 1), 'report-transaction 429 RATE-LIMITED'],
  [
    'with a key of the past',
    async ({ api }) => {
      const { body } = await api.call<{ apiKey: string }>('POST', '/sandbox/v1/keys', {
        name: 'old',
        scope: 'full',
        expiresIn: '1s',
      });
      world.machine.at += 2_000;
      await client(world.url, { apiKey: body.apiKey }).call('POST', REPORT, {});
    },
    'report-transaction 401 UNAUTHORIZED',
  ],
  ['at a wrong path', ({ api }) => api.call('POST', '/v1/tx', {}), 'unknown 404 NOT-FOUND'],
  ['by a wrong method', ({ api }) => api.call('PUT', REPORT, {}), 'unknown 405 METHOD-NOT-ALLOWED'],
  [
    'with a body that is too long',
    ({ api }) => api.call('POST', REPORT, { more: 'x'.repeat(300_000) }),
    'report-transaction 413 PAYLOAD-TOO-LARGE',
  ],
  [
    'with a content coding',
    by => raw(by, { 'Content-Encoding': 'gzip', 'Content-Length': '2' }, 'xx'),
    'report-transaction 415 UNSUPPORTED-MEDIA-TYPE',
  ],
  [
    'by a host name that is not ours',
    by => raw(by, { Host: 'elsewhere.example' }),
    'report-transaction 421 MISDIRECTED-REQUEST',
  ],
  ['cut off in its body', by => raw(by, { 'Content-Length': '100' }, '{'), 'report-transaction null undefined'],
];

test.each(CASES)('a call %s is kept', async (_, call, expected) => {
  const tenant = await world.register();
  await call(tenant);
  const kept = async () =>
    (await tenant.api.exchanges({ direction: 'IN' })).exchanges.map(
      ({ operation, status, response }) =>
        `${operation} ${status} ${response === null ? undefined : JSON.parse(response).code}`,
    );
  await until(async () => (await kept()).includes(expected));
  expect((await kept()).filter(each => each === expected)).toHaveLength(1);
  expect((await other.api.exchanges({})).exchanges).toEqual([]);
});

test('refused calls of a flood are kept up to a limit', async () => {
  const tenant = await world.register();
  const path = '/v1/nowhere';
  await world.operator.changeTenant(tenant.vaspId, { quotas: { requestsPerSecond: 5_000, burst: 5_000 } });
  for (let n = 0; n < 4; n++) await Promise.all(Array.from({ length: 100 }, () => tenant.api.call('GET', path)));
  const { total } = await tenant.api.exchanges({ operation: 'unknown' });
  expect(total).toBeGreaterThanOrEqual(200);
  expect(total).toBeLessThan(400);
});
