import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountSetAsfFlags, Wallet } from 'xrpl';
import { type Chain, ChainRefused, ChainReset, ChainUnreachable } from '../../src/chains/port.ts';
import { xrplChain } from '../../src/chains/xrpl.ts';
import { type XrplWorld, xrplConfig, xrplWorld } from '../support/chains/chain-world.ts';
import { startXrplProxy, type XrplProxy } from '../support/chains/xrpl-proxy.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const ours = () => new Set([world.ours]);
const start = async () => (await chain.incoming(null, ours())).cursor;
const hashesOf = (page: { transfers: { txHash: string }[] }) => page.transfers.map(each => each.txHash);

const world: XrplWorld = await forFile(xrplWorld());
const chain = world.chain;
await world.pay(world.ours, 50_000_000n);

describe('XRP Ledger: what counts as a payment', () => {
  it.each([0, 1, 4_294_967_295])('the tag %i is told', async tag => {
    const cursor = await start();
    const hash = await world.pay(`${world.ours}:${tag}`, 1n);
    const { transfers } = await chain.incoming(cursor, ours());
    expect(transfers).toMatchObject([{ txHash: hash, to: { account: world.ours, tag }, amount: 1n }]);
  });

  it('no tag is not tag 0', async () => {
    const cursor = await start();
    await world.pay(world.ours, 1n);
    expect((await chain.incoming(cursor, ours())).transfers[0]?.to).toEqual({ account: world.ours });
  });

  it('a payment that failed is none, although it stands in a validated ledger', async () => {
    const cursor = await start();
    const hash = await world.pay(world.ours, 10n ** 16n);
    expect(await chain.stateOf(hash)).toMatchObject({ status: 'final', succeeded: false });
    expect((await chain.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it('what the account itself pays or sets is no incoming payment', async () => {
    const own = Wallet.fromSeed(xrplConfig('').seed);
    const cursor = await start();
    const outgoing = [
      { TransactionType: 'Payment', Account: world.ours, Destination: world.stranger.classicAddress, Amount: '1' },
      { TransactionType: 'AccountSet', Account: world.ours, SetFlag: AccountSetAsfFlags.asfRequireDest },
    ] as const;
    for (const transaction of outgoing) {
      const { tx_blob } = own.sign(await world.client.autofill(transaction));
      expect((await world.client.submit(tx_blob)).result.engine_result).toBe('tesSUCCESS');
      world.node.controls.close();
    }
    expect((await chain.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it('more payments in one ledger than a page holds are all reported, in order, once', async () => {
    const cursor = await start();
    await world.hold(true);
    const hashes: string[] = [];
    for (let i = 0; i < 230; i++) hashes.push(await world.pay(`${world.ours}:${i}`, 1n));
    await world.hold(false);
    const page = await chain.incoming(cursor, ours());
    expect(page.transfers.map(each => each.to.tag)).toEqual(hashes.map((_, tag) => tag));
    expect(hashesOf(page)).toEqual(hashes);
    expect((await chain.incoming(page.cursor, ours())).transfers).toEqual([]);
  });
});

describe('XRP Ledger: a bad server', () => {
  let proxy: XrplProxy;
  let other: Chain;
  beforeEach(async () => {
    proxy = await startXrplProxy(world.url);
    other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
  });
  afterEach(async () => {
    await other.close();
    await proxy.close();
  });
  type Json = Record<string, unknown>;
  const change = (command: string, result: (before: Json) => Json) =>
    proxy.rule((asked, answer) => (asked === command ? { ...answer, result: result(answer.result as Json) } : answer));
  const refuse = (command: string, error: string) =>
    proxy.rule((asked, { result: _, ...answer }) =>
      asked === command ? { ...answer, status: 'error', error, error_message: error } : { ...answer, result: _ },
    );
  const changeEntry = (entry: (before: { meta: Json; tx_json: Json }) => Json) =>
    change('account_tx', result => ({
      ...result,
      transactions: (result.transactions as { meta: Json; tx_json: Json }[]).map(entry),
    }));

  it('of a partial payment only what was delivered counts', async () => {
    const cursor = await start();
    await world.pay(`${world.ours}:5`, 1_000_000n);
    changeEntry(({ meta, ...rest }) => ({ ...rest, meta: { ...meta, delivered_amount: '7' } }));
    expect((await other.incoming(cursor, ours())).transfers).toMatchObject([{ amount: 7n }]);
  });

  it.each([
    ['another currency', { currency: 'USD', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value: '7' }],
    ['"unavailable"', 'unavailable'],
    ['nothing', undefined],
    ['a number', 7],
    ['a fraction', '7.5'],
  ])('a delivered amount that is %s is no payment', async (_, delivered_amount) => {
    const cursor = await start();
    await world.pay(`${world.ours}:5`, 1_000_000n);
    changeEntry(({ meta, ...rest }) => ({ ...rest, meta: { ...meta, delivered_amount } }));
    expect((await other.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it('a transaction without success is no payment, whatever it says was delivered', async () => {
    const cursor = await start();
    await world.pay(`${world.ours}:5`, 1_000_000n);
    changeEntry(({ meta, ...rest }) => ({ ...rest, meta: { ...meta, TransactionResult: 'tecPATH_DRY' } }));
    expect((await other.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it('a transaction that is not validated is no payment', async () => {
    const cursor = await start();
    await world.pay(`${world.ours}:5`, 1_000_000n);
    changeEntry(entry => ({ ...entry, validated: false }));
    expect((await other.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it.each([
    ['begins later', { ledger_index_min: 999_999_999 }],
    ['ends earlier', { ledger_index_max: 1 }],
  ])('a range that %s than asked is a gap: nothing is skipped', async (_, range) => {
    const cursor = await start();
    const hash = await world.pay(`${world.ours}:5`, 1n);
    change('account_tx', result => ({ ...result, ...range }));
    await expect(other.incoming(cursor, ours())).rejects.toThrow(ChainUnreachable);
    proxy.rule(undefined);
    expect(hashesOf(await other.incoming(cursor, ours()))).toEqual([hash]);
  });

  it.each(['lgrIdxMalformed', 'invalidLgrRange', 'lgrIdxsInvalid', 'tooBusy', 'slowDown', 'noNetwork'])(
    '%s from account_tx is ChainUnreachable',
    async error => {
      const cursor = await start();
      await world.advance(1);
      refuse('account_tx', error);
      await expect(other.incoming(cursor, ours())).rejects.toThrow(ChainUnreachable);
    },
  );

  it('a server whose newest ledger is a little behind has nothing new, and keeps the cursor', async () => {
    await world.advance(20);
    const cursor = await start();
    change('ledger', result =>
      result.ledger_index === cursor.height ? { ...result, ledger_index: cursor.height - 5 } : result,
    );
    expect(await other.incoming(cursor, ours())).toEqual({ transfers: [], cursor, caughtUp: true });
  });

  it('a question that is never answered is ChainUnreachable', async () => {
    await other.connect();
    proxy.rule((command, answer) => (command === 'ledger' ? null : answer));
    await expect(other.head()).rejects.toThrow(ChainUnreachable);
  });

  const main = { network_id: 0, peers: 21, validation_quorum: 28, last_close: { proposers: 35 } };
  it.each<[string, Json]>([
    ['with peers and validators', main],
    ['that does not tell its id', { ...main, network_id: undefined }],
    ['that lost its peers', { ...main, peers: 0, server_state: 'connected' }],
    ['that lost its peers and has no proposers', { ...main, peers: 0, last_close: { proposers: 0 } }],
    ['that tells neither peers nor quorum', { network_id: 0, peers: undefined, validation_quorum: undefined }],
    ['that has just started', { network_id: 0, server_state: 'connected', validated_ledger: undefined }],
  ])('a server of the main network %s is refused, even where id 0 is configured', async (_, facts) => {
    const onMain = xrplChain({ ...xrplConfig(proxy.url), networkId: 0, timeoutMs: 1_000 });
    change('server_info', ({ info }) => ({ info: { ...(info as Json), ...facts } }));
    await expect(onMain.connect()).rejects.toThrow(ChainRefused);
    await expect(onMain.head()).rejects.toThrow(ChainRefused);
    await onMain.close();
  });

  it('a server that stands alone may have id 0', async () => {
    const alone = await xrplWorld({ networkId: 0 });
    await alone.chain.connect();
    expect((await alone.chain.head()).height).toBeGreaterThan(0);
    await alone.close();
  });

  it('after a cut connection the network is checked before anything else is asked', async () => {
    await other.connect();
    change('server_info', ({ info }) => ({ info: { ...(info as Json), ...main } }));
    proxy.cut();
    let answered = 0;
    let error: unknown;
    for (let attempt = 0; attempt < 100 && !(error instanceof ChainRefused); attempt++)
      error = await other.head().then(
        () => void answered++,
        caught => caught,
      );
    expect(error).toBeInstanceOf(ChainRefused);
    expect(answered).toBe(0);
  });

  it('a connection that never answers is given up soon, and another one is opened', async () => {
    proxy.rule(() => null);
    await expect(other.connect()).rejects.toThrow(ChainUnreachable);
    proxy.rule(undefined);
    await other.connect();
    proxy.rule(() => null);
    await expect(other.head()).rejects.toThrow(ChainUnreachable);
    proxy.rule(undefined);
    expect(await other.head()).toEqual(await chain.head());
    await until(() => proxy.connections() === 1);
  });

  it('the adapter leaves no connection behind', async () => {
    await other.head();
    expect(proxy.connections()).toBe(1);
    await other.close();
    await expect(other.head()).rejects.toThrow(ChainUnreachable);
    await until(() => proxy.connections() === 0);
  });
});

describe('XRP Ledger: history', () => {
  it('ledgers that the server no longer has are a gap: the cursor stays, and the error says what to do', async () => {
    const short = await xrplWorld();
    const { cursor } = await short.chain.incoming(null, new Set([short.ours]));
    await short.advance(10);
    short.node.controls.forgetHistory(cursor.height + 4);
    const reading = short.chain.incoming(cursor, new Set([short.ours]));
    await expect(reading).rejects.toThrow(ChainUnreachable);
    await expect(reading).rejects.toThrow(`ledger ${cursor.height}, which was read last`);
    await expect(reading).rejects.toThrow('start once with an XRPL_URL whose server still has it');
    await short.close();
  });

  it('a ledger that started over is a reset, before and after it has grown past the cursor', async () => {
    const reborn = await xrplWorld();
    const accounts = new Set([reborn.ours]);
    await reborn.advance(30);
    const { cursor } = await reborn.chain.incoming(null, accounts);
    reborn.node.controls.startOver();
    const wasReset = async () => {
      for (let attempt = 0; ; attempt++) {
        const error = await reborn.chain.incoming(cursor, accounts).catch(caught => caught);
        if (attempt === 100 || !(error instanceof ChainUnreachable)) return error;
      }
    };
    expect(await wasReset()).toBeInstanceOf(ChainReset);
    await reborn.advance(40);
    expect(await wasReset()).toBeInstanceOf(ChainReset);
    await reborn.close();
  });
});
