import { describe, expect, test } from 'vitest';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { natural, paid, verificationOf } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { controlsOf } from '../support/world/chain-controls.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** D-18, D-27: what is said of money that no verification awaits, and of the VASP of an ended one. */

const findingsOf = async ({ api }: World, uuid: string) =>
  (await api.verifications({ search: uuid })).verifications[0]!.findings;
const paymentOf = ({ payload, assetInfo: { amount } }: VerifyUserRequest) => ({
  symbol: 'ETH' as const,
  to: payload.ivms101.beneficiary.accountNumber[0]!,
  amount,
});

test('D-18: nobody was asked for a verification that ended as ERROR, so its money has no last answer', async () => {
  const world = await forFile(createWorld());
  const user = world.info.users.find(({ behaviour }) => behaviour === 'CHANGES-ACCOUNT-NUMBER')!;
  const request = verificationOf(world, { user: user.id });
  const { verificationUuid: uuid } = await world.api.verifyUser(request);
  await world.idle();
  expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR' });
  const txHash = await paid(world, paymentOf(request));
  expect(await depositOf(world, txHash)).toMatchObject({
    status: 'UNATTRIBUTED',
    note: 'unattributed: no open verification of this address has this amount',
  });
  expect(await findingsOf(world, uuid)).toMatchObject([{ code: 'PAID-AFTER-ERROR' }]);
});

// The chain controls are those of the embedded chains.
describe.skipIf(BY_URL)('D-27, a payment that is final after a verification was denied', async () => {
  const world = await forFile(createWorld({ clock: movingClock, env: { ETH_CONFIRMATIONS: '3' } }));
  const { turn } = controlsOf(() => world);
  const denied = (amount?: string) =>
    verificationOf(world, {
      ...(amount === undefined ? {} : { amount }),
      change: ({ payload }) => {
        payload.ivms101.beneficiary.beneficiaryPersons = [natural('Nobody', 'At All')];
      },
    });
  const isSeen = (txHash: string, status: string) =>
    until(async () => {
      await world.idle();
      return (await depositOf(world, txHash))?.status === status;
    });
  async function asked(request: VerifyUserRequest): Promise<string> {
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    await world.idle();
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'DENIED' });
    return uuid;
  }
  async function payFor(request: VerifyUserRequest): Promise<string> {
    const { to, amount } = paymentOf(request);
    const txHash = await (await world.wallet('ETH')).pay(to, amount);
    await isSeen(txHash, 'SEEN');
    return txHash;
  }
  async function confirm(txHash: string): Promise<void> {
    await turn('ETH', 'mine', { blocks: 3 });
    await isSeen(txHash, 'UNATTRIBUTED');
  }

  test('was made after it', async () => {
    const request = denied();
    const uuid = await asked(request);
    await confirm(await payFor(request));
    expect(await findingsOf(world, uuid)).toMatchObject([{ code: 'PAID-AFTER-DENIED' }]);
  });

  test('was made before it', async () => {
    const request = denied();
    const txHash = await payFor(request);
    const uuid = await asked(request);
    await confirm(txHash);
    expect(await findingsOf(world, uuid)).toEqual([]);
  });

  test('was made between two of them', async () => {
    const request = denied();
    const before = await asked(request);
    const txHash = await payFor(request);
    const after = await asked(request);
    await confirm(txHash);
    expect(await findingsOf(world, before)).toMatchObject([{ code: 'PAID-AFTER-DENIED' }]);
    expect(await findingsOf(world, after)).toEqual([]);
  });
});
