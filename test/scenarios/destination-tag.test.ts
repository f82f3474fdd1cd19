import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'xrpl';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { devnetAt } from '../support/chains/wallets.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** asfRequireDest */
const REQUIRE_DESTINATION_TAG = 1;
const world = await forFile(createWorld({ clock: movingClock }));
let client: Client;
beforeAll(async () => {
  client = new Client(devnetAt('XRP', world.url));
  await client.connect();
  await received(world, { symbol: 'XRP', amount: '9' });
});
afterAll(async () => {
  await client.disconnect();
});

async function account({ requiresTag }: { requiresTag: boolean }): Promise<string> {
  const { wallet } = await client.fundWallet(undefined, {
    faucetHost: new URL(world.url).host,
    faucetProtocol: 'http',
    faucetPath: '/devnet/xrpl/accounts',
  });
  if (requiresTag) {
    const order = {
      TransactionType: 'AccountSet',
      Account: wallet.classicAddress,
      SetFlag: REQUIRE_DESTINATION_TAG,
      // The client looks after a second only. By then 20 ledgers are closed here.
      LastLedgerSequence: (await client.getLedgerIndex()) + 1_000,
    } as const;
    await client.submitAndWait(order, { autofill: true, wallet });
  }
  return wallet.classicAddress;
}

test.skipIf(BY_URL)(
  'D-32: an account that requires a tag is not paid without one: an error report, and nothing is burnt',
  async () => {
    const to = await account({ requiresTag: true });
    const { uuid, from } = await verifiedForRobot(world, { symbol: 'XRP', amount: '2', to });
    const ledger = ledgerOf(world, 'XRP');
    const before = [await ledger.sent(from), await balanceAt(world, 'XRP', from)];
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CANCELED');
    expect(await world.vasp.ordinary.callbackOf(uuid, 'ERROR_REPORT')).toMatchObject({
      result: 'ERROR',
      reason: 'UNDEFINED-ERROR',
      message: expect.stringMatching(/requires a destination tag.*would fail with tecDST_TAG_NEEDED/),
    });
    const { transfers } = await world.api.transfers({ verificationUuid: uuid });
    expect(transfers[0]?.why).toContain('tecDST_TAG_NEEDED');
    expect([await ledger.sent(from), await balanceAt(world, 'XRP', from)]).toEqual(before);
  },
);

test.skipIf(BY_URL).each([
  ['with the tag that the verification names', true, ':7'],
  ['without a tag where the account requires none', false, ''],
])('D-32: paid %s', async (_, requiresTag, tag) => {
  const to = `${await account({ requiresTag })}${tag}`;
  const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount: '2', to });
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
});
