import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountDelete, Client, Wallet } from 'xrpl';
import { movingClock } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** An account must be so many ledgers old before it can be deleted. */
const LEDGERS_OF_AGE = 256;

const world = await forFile(createWorld({ clock: movingClock, env: { XRPL_CLOSE_INTERVAL: '10ms' } }));
let client: Client;
beforeAll(async () => {
  client = new Client(`${world.url.replace(/^http/, 'ws')}/devnet/xrpl`);
  await client.connect();
});
afterAll(async () => {
  await client.disconnect();
});

test.skipIf(BY_URL)(
  'D-26: AccountDelete delivers without a payment: shown as unexplained, credited only by its report',
  async () => {
    const old = Wallet.generate();
    await world.api.faucet('XRP', old.classicAddress, '12.2');
    const { Sequence: createdAt } = (await client.request({ command: 'account_info', account: old.classicAddress }))
      .result.account_data;
    await until(async () => (await client.getLedgerIndex()) > createdAt + LEDGERS_OF_AGE);
    // 12.2 less the fee, which is the owner reserve.
    const { uuid, to } = await verified(world, { symbol: 'XRP', amount: '12' });
    const [account = '', tag] = to.split(':');
    const deletion: AccountDelete = {
      TransactionType: 'AccountDelete',
      Account: old.classicAddress,
      Destination: account,
      DestinationTag: Number(tag),
    };
    const { LastLedgerSequence: _, ...filled } = await client.autofill(deletion);
    const { tx_blob, hash } = old.sign(filled as AccountDelete);
    expect((await client.submit(tx_blob)).result.engine_result).toBe('tesSUCCESS');
    await until(async () => (await depositOf(world, hash)) !== undefined);
    expect(await depositOf(world, hash)).toMatchObject({
      status: 'UNEXPLAINED',
      amount: '12',
      address: to,
      via: 'AccountDelete',
    });
    await world.advance('3h');
    expect(await balanceAt(world, 'XRP', to)).toBe('0');
    const { attention } = await world.api.health();
    expect(attention.find(({ what }) => what === 'money-unexplained')?.text).toContain(hash);

    await world.api.reportTransaction(uuid, hash);
    await until(async () => (await balanceAt(world, 'XRP', to)) === '12');
  },
);
