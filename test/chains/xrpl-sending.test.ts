import { decode } from 'ripple-binary-codec';
import { describe, expect, it } from 'vitest';
import { Wallet } from 'xrpl';
import { FeeTooHigh } from '../../src/chains/port.ts';
import { xrplChain } from '../../src/chains/xrpl.ts';
import { xrplConfig, xrplWorld } from '../support/chains/chain-world.ts';
import { startXrplProxy } from '../support/chains/xrpl-proxy.ts';
import { useXrplSender } from '../support/chains/xrpl-sender.ts';

const our = useXrplSender();
const KEPT = { type: 'response', status: 'success' };

describe('XRP Ledger: what is signed', () => {
  it('both tags, tag 0 too, network id, last ledger and nothing else', async () => {
    const { height } = await our.chain.head();
    const { bytes, validity } = await our.sign({
      to: { account: our.world.theirs, tag: 0 },
      sourceTag: 0,
      sequence: 5,
    });
    expect(validity).toEqual({ signedAfter: height, lastLedgerSequence: height + 20 });
    expect(decode(bytes)).toEqual({
      TransactionType: 'Payment',
      Account: our.world.ours,
      Destination: our.world.theirs,
      DestinationTag: 0,
      SourceTag: 0,
      Amount: '7',
      Fee: (await our.chain.quoteFee(our.world.payment)).drops,
      Sequence: 5,
      LastLedgerSequence: height + 20,
      NetworkID: our.chain.networkId,
      SigningPubKey: expect.any(String),
      TxnSignature: expect.any(String),
    });
  });

  it('no tags, and no network id up to 1024', async () => {
    const small = await xrplWorld({ networkId: 1_024 });
    const order = { from: 0, to: { account: our.world.theirs }, amount: 7n, sequence: 5, fee: { drops: '12' } };
    const { bytes } = await small.chain.sign(order);
    const named = Object.keys(decode(bytes)).filter(key => /^(NetworkID|DestinationTag|SourceTag)$/.test(key));
    expect(named).toEqual([]);
    await small.close();
  });

  it('the tag of the payment is the one that the recipient sees', async () => {
    const cursor = (await our.chain.incoming(null, new Set([our.world.theirs]))).cursor;
    const { bytes, hash } = await our.sign({ to: { account: our.world.theirs, tag: 4_294_967_295 } });
    await our.chain.broadcast(bytes);
    our.close();
    expect((await our.chain.incoming(cursor, new Set([our.world.theirs]))).transfers).toMatchObject([
      { txHash: hash, from: our.world.ours, to: { account: our.world.theirs, tag: 4_294_967_295 }, amount: 7n },
    ]);
  });
});

describe('XRP Ledger: balance and fees', () => {
  it('an account at its reserve has nothing to spend', async () => {
    const poor = Wallet.generate().classicAddress;
    await our.world.pay(poor, 1_000_000n);
    expect(await our.chain.balanceOf(poor)).toEqual({ total: 1_000_000n, spendable: 0n });
  });

  it('the quote follows the load; a bid below it is too low, not lost for ever', async () => {
    const before = await our.chain.quoteFee(our.world.payment);
    expect(before).toEqual({ drops: '12' });
    our.world.node.controls.loadFactor(100);
    const low = await our.sign({ fee: before });
    expect(await our.chain.broadcast(low.bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'fee-too-low',
      code: 'telINSUF_FEE_P',
    });
    const after = await our.chain.quoteFee(our.world.payment);
    expect(after).toEqual({ drops: '1200' });
    const { bytes, hash } = await our.sign({ fee: after });
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    our.world.node.controls.loadFactor(1);
    our.close();
    expect(await our.chain.stateOf(hash)).toMatchObject({ succeeded: true });
  });

  it('a bid pays over a quarter more than the one that it replaces in the queue of a server', async () => {
    const bids = await Promise.all(['20', '21', '99'].map(drops => our.chain.quoteFee(our.world.payment, { drops })));
    expect(bids).toEqual([{ drops: '26' }, { drops: '27' }, { drops: '124' }]);
  });

  it('above the cap the network is too expensive', async () => {
    const capped = xrplChain({ ...xrplConfig(our.world.url), maxFeeDrops: 100n });
    expect(await capped.quoteFee(our.world.payment)).toEqual({ drops: '12' });
    our.world.node.controls.loadFactor(10);
    await expect(capped.quoteFee(our.world.payment)).rejects.toThrow(FeeTooHigh);
    our.world.node.controls.loadFactor(1);
    await expect(capped.quoteFee(our.world.payment, { drops: '99' })).rejects.toThrow(FeeTooHigh);
    await capped.close();
  });
});

describe('XRP Ledger: what the server answers to a broadcast', () => {
  it('an account without money or not there: no funds, not final', async () => {
    const poor = Wallet.generate();
    const other = xrplChain({ ...xrplConfig(our.world.url), seed: poor.seed! });
    const order = { from: 0, to: { account: our.world.theirs }, amount: 7n, sequence: 5, fee: { drops: '12' } };
    const { bytes } = await other.sign(order);
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'rejected', final: false, reason: 'funds' });
    await our.world.pay(poor.classicAddress, 1_000_000n);
    const sequence = (await our.chain.numbers(poor.classicAddress)).next;
    const costly = await other.sign({ ...order, sequence, fee: { drops: '1000001' } });
    expect(await our.chain.broadcast(costly.bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'funds',
      code: 'terINSUF_FEE_B',
    });
    await other.close();
  });

  it('a foreign or changed signature is rejected for good', async () => {
    const { bytes } = await our.sign();
    const at = bytes.indexOf('7440') + 30;
    const changed = bytes.slice(0, at) + (bytes[at] === '0' ? '1' : '0') + bytes.slice(at + 1);
    expect(await our.chain.broadcast(changed)).toMatchObject({
      status: 'rejected',
      final: true,
      reason: 'malformed',
      code: 'invalidTransaction',
    });
  });

  it('a payment to oneself, malformed by the rules, is rejected for good', async () => {
    const { bytes } = await our.sign({ to: { account: our.world.ours } });
    expect(await our.chain.broadcast(bytes)).toMatchObject({
      status: 'rejected',
      final: true,
      reason: 'malformed',
      code: 'temREDUNDANT',
    });
  });

  it('too little for a new account fails on the ledger, and says so', async () => {
    const { bytes, hash, validity } = await our.sign({ to: { account: our.world.nobody }, amount: 999_999n });
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'accepted', code: 'tecNO_DST_INSUF_XRP' });
    our.close();
    expect(await our.chain.stateOf(hash, validity)).toMatchObject({ status: 'final', succeeded: false });
  });

  it('a transaction after its last ledger is expired by this answer, not proven gone', async () => {
    const { bytes } = await our.sign();
    for (let i = 0; i < 21; i++) our.close();
    expect(await our.chain.broadcast(bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'expired',
      code: 'tefMAX_LEDGER',
    });
  });

  it('one that the server keeps for a later ledger is accepted, and paid then', async () => {
    const { bytes, hash } = await our.sign();
    our.world.node.controls.delayNext(2);
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    our.close();
    expect((await our.chain.stateOf(hash)).status).not.toBe('final');
    for (let i = 0; i < 3; i++) our.close();
    expect(await our.chain.stateOf(hash)).toMatchObject({ status: 'final', succeeded: true });
  });
});

describe('XRP Ledger: when a transfer has finally failed', () => {
  it('only after its last ledger, and then it can be signed anew with the same sequence', async () => {
    const before = await our.paid();
    const sequence = (await our.chain.numbers(our.world.ours)).next;
    const { bytes, hash, validity } = await our.sign({ sequence });
    our.world.node.controls.dropNext();
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    while ((await our.chain.head()).height < validity!.lastLedgerSequence) {
      expect(await our.chain.stateOf(hash, validity)).toEqual({ status: 'unknown' });
      our.close();
    }
    expect(await our.chain.stateOf(hash, validity)).toEqual({ status: 'expired' });
    expect(await our.chain.stateOf(hash)).toEqual({ status: 'unknown' });
    const anew = await our.sign({ sequence });
    expect(await our.chain.broadcast(anew.bytes)).toMatchObject({ status: 'accepted' });
    our.close();
    expect(await our.chain.stateOf(anew.hash, anew.validity)).toMatchObject({ succeeded: true });
    expect(await our.paid()).toBe(before + 7n);
  });

  it.each([true, false])('when its last ledger is validated, where a server says searched_all: %s', async all => {
    const proxy = await startXrplProxy(our.world.url);
    const other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
    const { hash, validity } = await our.sign();
    our.close();
    proxy.rule((command, answer) => (command === 'tx' ? { ...answer, searched_all: all } : answer));
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'unknown' });
    for (let i = 0; i < 20; i++) our.close();
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'expired' });
    await other.close();
    await proxy.close();
  });

  it('also where a server keeps it that has every ledger in which it could stand', async () => {
    const proxy = await startXrplProxy(our.world.url);
    const other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
    const { hash, validity } = await our.sign();
    const { signedAfter, lastLedgerSequence } = validity!;
    const keeping = (ledgers: string) =>
      proxy.rule((command, answer) => {
        if (command === 'tx') return { ...KEPT, id: answer.id, result: { hash, tx_json: {}, validated: false } };
        const { info } = (answer.result ?? {}) as { info?: object };
        return info ? { ...answer, result: { info: { ...info, complete_ledgers: ledgers } } } : answer;
      });
    keeping(`1-${lastLedgerSequence}`);
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'pending' });
    for (let i = 0; i < 21; i++) our.close();
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'expired' });
    expect(await other.stateOf(hash)).toEqual({ status: 'pending' });
    for (const ledgers of [
      'empty',
      `1-${signedAfter + 1},${signedAfter + 3}-${lastLedgerSequence}`,
      `1-${signedAfter}`,
    ]) {
      keeping(ledgers);
      expect(await other.stateOf(hash, validity)).toEqual({ status: 'pending' });
    }
    keeping(`1-${signedAfter - 1},${signedAfter + 1}-${lastLedgerSequence + 1}`);
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'expired' });
    await other.close();
    await proxy.close();
  });

  it('one that stands in its very last ledger has not', async () => {
    const { bytes, hash, validity } = await our.sign();
    while ((await our.chain.head()).height < validity!.lastLedgerSequence - 1) our.close();
    expect(await our.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    our.close();
    expect(await our.chain.stateOf(hash, validity)).toMatchObject({
      status: 'final',
      height: validity!.lastLedgerSequence,
      succeeded: true,
    });
    for (let i = 0; i < 30; i++) our.close();
    expect(await our.chain.stateOf(hash, validity)).toMatchObject({ status: 'final', succeeded: true });
  });

  it('not while the server lacks a ledger in which it could stand', async () => {
    const short = await xrplWorld();
    await short.pay(short.ours, short.riches);
    const sequence = (await short.chain.numbers(short.ours)).next;
    const fee = await short.chain.quoteFee(short.payment);
    const order = { from: 0, to: { account: short.theirs }, amount: 7_000_000n, sequence, fee };
    const { bytes, hash, validity } = await short.chain.sign(order);
    await short.chain.broadcast(bytes);
    await short.advance(30);
    expect(await short.chain.stateOf(hash, validity)).toMatchObject({ status: 'final' });
    short.node.controls.forgetHistory(validity!.signedAfter + 3);
    expect(await short.chain.stateOf(hash, validity)).toEqual({ status: 'unknown' });
    await short.close();
  });
});
