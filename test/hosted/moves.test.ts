import { expect, test } from 'vitest';
import { type Client, client } from '../../src/client/client.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedWorld, verificationBy } from '../support/world/hosted-world.ts';

/** A VASP moves to another cell and comes back. */

const here = await forFile(createHostedWorld({ CELL: 'a' }));
const there = await forFile(createHostedWorld({ CELL: 'b' }));

type Export = Record<string, unknown> & { submissions: object[]; verifications: object[] };

async function exported({ operator }: HostedWorld, vaspId: string): Promise<Export> {
  await operator.changeTenant(vaspId, { suspended: true });
  return (await operator.call<Export>('GET', `/sandbox/v1/tenants/${vaspId}/export`)).body;
}
const imported = ({ operator }: HostedWorld, body: Export) =>
  operator.call<{ apiKey: string }>('POST', '/sandbox/v1/tenants', body);

test('twice: its verifications and its submissions go with it, and each cell has it once', async () => {
  const tenant = await here.register();
  const { vaspId, api } = tenant;
  const { verificationUuid } = await api.verifyUser(await verificationBy(tenant));
  const { users } = await api.info();
  const { txHash } = await api.faucet('ETH', users[0]!.accounts.ETH, '0.1');

  const first = await exported(here, vaspId);
  expect(first.submissions).toMatchObject([{ symbol: 'ETH', txHash, vaspId }]);
  expect(await imported(here, first)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Forget it here before you take it over') },
  });
  expect((await imported(there, first)).status).toBe(200);
  expect((await imported(there, first)).status).toBe(409);
  await here.operator.forgetTenant(vaspId);

  const second = await exported(there, vaspId);
  expect(second.submissions).toEqual(first.submissions);
  expect((await imported(here, second)).status).toBe(200);
  await there.operator.forgetTenant(vaspId);
  const back = await exported(here, vaspId);
  expect(back.submissions).toEqual(first.submissions);
  expect(back.verifications).toMatchObject([{ uuid: verificationUuid }]);
});

test('a timeline reads the same in the other cell, whose history has other positions', async () => {
  const other = await there.register();
  for (let n = 0; n < 3; n++) await other.api.verifyUser(await verificationBy(other));
  const tenant = await here.register();
  const { verificationUuid } = await tenant.api.verifyUser(await verificationBy(tenant));
  // The status queries are lines that name the position at which they began, with calls of the robot around them.
  await tenant.api.advance('20m');
  await tenant.api.reportTransaction(verificationUuid, '0xab');
  // The robot's own callbacks stay in its cell.
  const told = async (api: Client) =>
    (await api.timeline(verificationUuid)).timeline
      .filter(({ what }) => what !== 'callback')
      .map(({ at, what, event }) => `${at} ${what} ${event}`);
  const before = await told(tenant.api);
  expect(before.join()).toContain('timer fired');
  expect(before.join()).toContain('http was-called');

  const { body } = await imported(there, await exported(here, tenant.vaspId));
  const after = await told(client(there.url, { apiKey: body.apiKey }));
  expect(after.filter(line => before.includes(line))).toEqual(before);
});
