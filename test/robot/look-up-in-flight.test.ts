import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** D-24: the chain moves on while the named transaction is looked up. The clock stands still: no interval passes. */

describe.skipIf(BY_URL)('a block comes while a look-up of its transaction is under way', () => {
  let world: World;
  let rpc: JsonRpc;
  let proxied: Awaited<ReturnType<typeof startProxiedEthereum>>;
  beforeAll(async () => {
    proxied = await startProxiedEthereum();
    const { node } = proxied;
    rpc = jsonRpc(node.url, 5_000);
    world = await createWorld({
      chains: {
        ETH: { url: node.url, fund: node.fund },
        XRP: { url: '', fund: async () => {} },
        env: { ...proxied.env, CHAIN_TIMEOUT: '30s' },
        close: proxied.close,
      },
    });
    await world.wallet('ETH');
  });
  afterEach(() => proxied.proxy.rule(undefined));
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });

  const reportOf = async ({ uuid }: Verified) =>
    (await world.api.verifications({ search: uuid })).verifications[0]?.report;
  const readHeight = async () => (await world.api.info()).chains.find(({ symbol }) => symbol === 'ETH')!.head ?? 0;

  /**
   * The next question for the transaction, or one after some more, is answered with what the node said before `open`. `asked`
   * resolves when it has come.
   */
  function holdLookUp(after = 0) {
    let left = after;
    const asked = gate();
    const answered = gate();
    proxied.proxy.rule(async ({ method }, answer) => {
      if (method !== 'eth_getTransactionByHash' || left-- > 0) return undefined;
      const body = await answer();
      proxied.proxy.rule(undefined);
      asked.open();
      await answered.opened;
      return { body };
    });
    return { asked: asked.opened, open: answered.open };
  }

  /** It pays somebody else. Nobody has put it into a block. */
  async function waiting(): Promise<string> {
    await rpc.call('evm_setAutomine', false);
    const { hash, send } = await (await world.wallet('ETH')).prepare(freshAddress('ETH'), '0.5');
    void send();
    await until(async () => (await rpc.call('eth_getTransactionByHash', hash)) !== null);
    return hash;
  }

  async function mine(): Promise<void> {
    await rpc.call('evm_mine');
    const height = Number(await rpc.call<string>('eth_blockNumber'));
    await until(async () => (await readHeight()) >= height);
    await rpc.call('evm_setAutomine', true);
  }

  const becomesWrong = (verification: Verified) =>
    until(async () => (await reportOf(verification))?.verdict === 'WRONG-RECIPIENT');

  test('the first look-up: the verdict follows at once', async () => {
    const verification = await verified(world);
    const hash = await waiting();
    const { asked, open } = holdLookUp();
    await world.api.reportTransaction(verification.uuid, hash);
    await asked;
    await mine();
    open();
    await becomesWrong(verification);
  });

  test('a later look-up, which comes once in five minutes: the verdict follows at once', async () => {
    const verification = await verified(world);
    const hash = await waiting();
    await world.api.reportTransaction(verification.uuid, hash);
    await world.advance('20m');
    expect(await reportOf(verification)).toMatchObject({ verdict: 'NOT-FINAL' });
    const { asked, open } = holdLookUp();
    const advanced = world.advance('5m');
    await asked;
    await mine();
    open();
    await advanced;
    await becomesWrong(verification);
  });

  test('D-24: a credit that was taken back is no verdict, also before the next look-up', async () => {
    const id = await rpc.call<string>('evm_snapshot');
    const verification = await verified(world);
    const hash = await paid(world, verification);
    await world.api.reportTransaction(verification.uuid, hash);
    await until(async () => (await reportOf(verification))?.verdict === 'CREDITED');
    // The reader asks first.
    const { asked, open } = holdLookUp(1);
    await rpc.call('evm_revert', id);
    await asked;
    expect(await depositOf(world, hash)).toMatchObject({ status: 'TAKEN-BACK' });
    expect(await reportOf(verification)).toBeNull();
    open();
    await until(async () => (await reportOf(verification))?.verdict === 'AWAITED');
  });
});
