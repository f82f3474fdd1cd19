import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Client, type SubmittableTransaction, Wallet, xrpToDrops } from 'xrpl';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { controlsOf } from '../support/world/chain-controls.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld, type World } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));
const { turn, expectRobotReads, expectRobotPays } = controlsOf(() => world);

describe('XRP', () => {
  let client: Client;
  let alice: Wallet;
  beforeAll(async () => {
    client = await ledgerOf(world);
    alice = Wallet.generate();
    await world.api.faucet('XRP', alice.classicAddress, '1000');
  });
  afterAll(() => client?.disconnect());

  const signed = async (from: Wallet, to: string, xrp: number, more: object = {}) => {
    const payment = {
      TransactionType: 'Payment',
      Account: from.classicAddress,
      Destination: to,
      Amount: xrpToDrops(xrp),
    };
    const filled = await client.autofill({ ...payment, ...more } as SubmittableTransaction);
    return from.sign(filled);
  };
  const submit = async (from: Wallet, to: string, xrp: number, more: object = {}) => {
    const { tx_blob, hash } = await signed(from, to, xrp, more);
    const { result } = await client.submit(tx_blob);
    return { hash, tx_blob, says: result.engine_result };
  };
  /** In a validated ledger: which, and with what result. */
  const placed = async (transaction: string) => {
    const answer = await client.request({ command: 'tx', transaction }).catch(() => undefined);
    const { result } = answer ?? {};
    if (!result?.validated) return undefined;
    return { ledger: result.ledger_index, result: (result.meta as { TransactionResult: string }).TransactionResult };
  };
  const close = async () => (await turn('XRP', 'close')).head!.height;
  const to = () => Wallet.generate().classicAddress;

  /** Nothing closes but what the work closes itself. */
  async function held(work: () => Promise<void>): Promise<void> {
    await turn('XRP', 'hold', { on: true });
    try {
      await work();
    } finally {
      await turn('XRP', 'hold', { on: false });
    }
  }

  test('hold and close: ledgers close when they are told to, until it is let go', async () => {
    await held(async () => {
      const { head } = await turn('XRP', 'hold', { on: true });
      const payment = await submit(alice, to(), 2);
      expect(payment.says).toBe('tesSUCCESS');
      expect(await placed(payment.hash)).toBeUndefined();
      expect(await close()).toBe(head!.height + 1);
      expect(await placed(payment.hash)).toEqual({ ledger: head!.height + 1, result: 'tesSUCCESS' });
      expect(await close()).toBe(head!.height + 2);
    });
    const before = await client.getLedgerIndex();
    await until(async () => (await client.getLedgerIndex()) > before);
    await expectRobotReads('XRP');
  });

  test('drop: the next submission is answered as usual and lost; the same bytes arrive later', async () => {
    await held(async () => {
      await turn('XRP', 'drop');
      const lost = await submit(alice, to(), 2);
      expect(lost.says).toBe('tesSUCCESS');
      await close();
      await close();
      expect(await placed(lost.hash)).toBeUndefined();
      expect((await client.submit(lost.tx_blob)).result.engine_result).toBe('tesSUCCESS');
      await close();
      expect(await placed(lost.hash)).toMatchObject({ result: 'tesSUCCESS' });
    });
  });

  test('drop: a payment of the robot that gets lost is paid once all the same', async () => {
    const amount = await received(world, { symbol: 'XRP', amount: '2.5' });
    const destination = `${to()}:9`;
    const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount, to: destination });
    await turn('XRP', 'drop');
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await client.getXrpBalance(destination.split(':')[0]!)).toBe(2.5);
  });

  test('drop: a payment of the faucet that no ledger takes is refused', async () => {
    await turn('XRP', 'drop');
    const refused = world.api.faucet('XRP', to(), '2').catch((error: Error) => error);
    for (let i = 0; i < 21; i++) await close();
    expect(await refused).toMatchObject({ code: 'CHAIN-REFUSED', message: expect.stringContaining('no ledger took') });
  });

  test('delay: the next submission comes so many ledgers late', async () => {
    await held(async () => {
      await turn('XRP', 'delay', { closes: 2 });
      const late = await submit(alice, to(), 2);
      expect(late.says).toBe('tesSUCCESS');
      const first = await close();
      expect(await placed(late.hash)).toBeUndefined();
      await close();
      expect(await placed(late.hash)).toBeUndefined();
      await close();
      expect(await placed(late.hash)).toEqual({ ledger: first + 2, result: 'tesSUCCESS' });
    });
    await expectRobotPays('XRP');
  });

  test('reorder: the last account to submit comes first, so that a provisional success fails', async () => {
    const poor = Wallet.generate();
    await world.api.faucet('XRP', poor.classicAddress, '10');
    await held(async () => {
      const income = await submit(alice, poor.classicAddress, 50);
      const spent = await submit(poor, to(), 40);
      expect([income.says, spent.says]).toEqual(['tesSUCCESS', 'tesSUCCESS']);
      await turn('XRP', 'reorder');
      await close();
      expect(await placed(income.hash)).toMatchObject({ result: 'tesSUCCESS' });
      expect(await placed(spent.hash)).toMatchObject({ result: 'tecUNFUNDED_PAYMENT' });
    });
    await expectRobotReads('XRP');
  });

  test('load-factor: the base fee is too little (telINSUF_FEE_P), and the robot pays what is asked', async () => {
    await turn('XRP', 'load-factor', { factor: 50 });
    expect((await submit(alice, to(), 2, { Fee: '499' })).says).toBe('telINSUF_FEE_P');
    expect((await submit(alice, to(), 2, { Fee: '500' })).says).toBe('tesSUCCESS');
    const { result } = await client.request({ command: 'server_info' });
    expect(result.info.load_factor).toBe(50);
    await expectRobotPays('XRP');
    await turn('XRP', 'load-factor', { factor: 1 });
    expect((await submit(alice, to(), 2, { Fee: '10' })).says).toBe('tesSUCCESS');
  });

  test('forget-history: older ledgers are gone, and the robot goes on', async () => {
    const old = await submit(alice, to(), 2);
    await until(async () => (await placed(old.hash)) !== undefined);
    const { ledger } = (await placed(old.hash))!;
    await close();
    await turn('XRP', 'forget-history', { upTo: ledger });
    const { result } = await client.request({ command: 'server_info' });
    expect(Number.parseInt(result.info.complete_ledgers, 10)).toBe(ledger! + 1);
    expect(await placed(old.hash)).toBeUndefined();
    const past = { command: 'account_tx', account: alice.classicAddress, ledger_index_min: ledger } as const;
    await expect(client.request({ ...past, ledger_index_max: -1 })).rejects.toThrow('Ledger index malformed.');
    await expectRobotReads('XRP');
  });

  test('forget-history: a ledger that the robot has not read stays, however many are to go', async () => {
    // Empty ledgers do not wake the robot.
    const slow = await createWorld({ env: { CHAIN_REREAD_INTERVAL: '1h' } });
    onTestFinished(() => slow.close());
    await slow.idle();
    const ledger = await ledgerOf(slow);
    for (let n = 0; n < 3; n++) await ledger.request({ command: 'ledger_accept' } as unknown as { command: 'ping' });
    await controlsOf(() => slow).turn('XRP', 'forget-history', { upTo: 4_294_967_295 });
    await ledger.disconnect();
    expect(await (await fetch(`${slow.url}/readyz`)).json()).toEqual({ status: 'READY' });
  });
});

async function ledgerOf({ url }: World): Promise<Client> {
  const client = new Client(`${url.replace(/^http/, 'ws')}/devnet/xrpl`);
  await client.connect();
  return client;
}
