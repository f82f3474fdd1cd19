import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { anotherVasp, assess, incoming, kytOf, outgoing, paidAndReported, wcoOf } from '../support/requests/risk.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const OTHER = '27372039731940771';
const world = await forFile(createWorld());
const other = await anotherVasp(world, OTHER);

/** REF-4.2, WIRE-2.10: whom, where and how, for each of the four situations. */
describe.each([
  { role: 'originating', reported: false },
  { role: 'originating', reported: true },
  { role: 'beneficiary', reported: false },
  { role: 'beneficiary', reported: true },
] as const)('$role VASP, transaction reported: $reported', ({ role, reported }) => {
  const isOriginating = role === 'originating';
  const direction = isOriginating ? 'OUTGOING' : 'INCOMING';
  let uuid = '';
  let counterpartyVaspId = '';
  let address = '';
  let outputAddress = '';
  let txHash = '';
  beforeAll(async () => {
    uuid = isOriginating ? await outgoing(world) : await incoming(world, other);
    if (reported) txHash = await paidAndReported(world, isOriginating ? world.api : other, uuid);
    await world.idle();
    const row = await world.api.verification(uuid);
    counterpartyVaspId = isOriginating ? world.robotVaspId : OTHER;
    address = isOriginating ? row.beneficiaryAccountNumber : row.originatorAccountNumber;
    outputAddress = row.beneficiaryAccountNumber;
  });

  test(`REF-4.1: sanction screening: the counterparty's address, ${direction}`, async () => {
    const { status, body } = await assess(world.api, 'sanction', { verificationUuid: uuid });
    expect(status).toBe(200);
    expect(body.providerASanction).toMatchObject({ counterpartyVaspId, direction, address, status: 'NOHIT' });
  });

  if (!isOriginating && !reported)
    test('REF-4.2: monitoring is refused with 400 UNSUPPORTED-RISK-ASSESSMENT', async () => {
      const { status, body } = await assess(world.api, 'kyt', { verificationUuid: uuid });
      expect([status, body.code]).toEqual([400, 'UNSUPPORTED-RISK-ASSESSMENT']);
      expect(body.message).toMatch(/after the txHash/);
    });
  else
    test(`REF-4.2: monitoring: ${reported ? 'the transaction' : 'the address'}, ${direction}`, async () => {
      const { providerAKYT } = await kytOf(world, uuid);
      expect(providerAKYT).toMatchObject({
        counterpartyVaspId,
        userId: counterpartyVaspId,
        direction,
        apiType: reported ? 'TRANSFER' : 'ATTEMPT',
        outputAddress,
        status: 'PROCESSED',
        timestamp: reported ? await ledgerOf(world, 'ETH').timeOf(txHash) : providerAKYT.createdAt,
      });
      expect(providerAKYT.transferRef).toBe(reported ? `${txHash}:${outputAddress}` : undefined);
    });

  test(`REF-4.3: person screening: the counterparty, ${direction}`, async () => {
    const { providerBWCO } = await wcoOf(world, uuid);
    expect(providerBWCO).toMatchObject({ counterpartyVaspId, direction, status: 'PROCESSED' });
  });
});

test('the address of the counterparty decides in both directions', async () => {
  const { accounts } = world.user('sanctioned-address');
  for (const symbol of ['ETH', 'XRP'] as const) {
    const out = await outgoing(world, { user: 'sanctioned-address', symbol });
    const into = await incoming(world, other, { symbol, from: accounts[symbol] });
    for (const [uuid, direction] of [
      [out, 'OUTGOING'],
      [into, 'INCOMING'],
    ] as const) {
      const { body } = await assess(world.api, 'sanction', { verificationUuid: uuid });
      expect(body.providerASanction).toMatchObject({ status: 'SANCTION', direction, address: accounts[symbol] });
    }
  }
});

test('REF-2.7: a deposit is assessed by its sender, not by the paid account', async () => {
  const uuid = await incoming(world, other, { from: world.user('risk-high').accounts.ETH });
  await paidAndReported(world, other, uuid);
  const { providerAKYT, providerAKYTAlerts } = await kytOf(world, uuid);
  expect(providerAKYT).toMatchObject({ direction: 'INCOMING', alertCount: 1 });
  expect(providerAKYTAlerts).toMatchObject([{ direction: 'INCOMING', alertLevel: 'HIGH' }]);
});

test('both VASPs of one verification assess each other', async () => {
  const uuid = await incoming(world, other);
  const mine = (await assess(world.api, 'sanction', { verificationUuid: uuid })).body.providerASanction;
  const theirs = (await assess(other, 'sanction', { verificationUuid: uuid })).body.providerASanction;
  expect(mine).toMatchObject({ direction: 'INCOMING', counterpartyVaspId: OTHER });
  expect(theirs).toMatchObject({ direction: 'OUTGOING', counterpartyVaspId: world.vaspId });
});

test('D-43: monitoring on a network of another asset is refused, in any case of its own it is not', async () => {
  const uuid = await outgoing(world);
  const { status, body } = await assess(world.api, 'kyt', { verificationUuid: uuid, network: 'Tron' });
  expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
  expect(body.message).toBe('`network` should be `Ethereum`, the network of ETH.');
  const own = await assess(world.api, 'kyt', { verificationUuid: uuid, network: 'ethereum' });
  expect(own.status).toBe(200);
});
