import { decode } from 'ripple-binary-codec';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Wallet } from 'xrpl';
import { type Chain, ChainRefused, FeeTooHigh, type TransferOrder } from '../../src/chains/port.ts';
import { xrplChain } from '../../src/chains/xrpl.ts';
import { type XrplWorld, xrplConfig, xrplWorld } from '../support/chains/chain-world.ts';
import { startXrplProxy, type XrplProxy } from '../support/chains/xrpl-proxy.ts';

let world: XrplWorld;
let chain: Chain;

beforeAll(async () => {
  world = await xrplWorld();
  chain = world.chain;
  await world.pay(world.ours, world.riches);
  await world.pay(world.theirs, 20_000_000n);
});
afterAll(() => world.close());

async function sign(changes: Partial<TransferOrder> = {}, by = chain) {
  const sequence = changes.sequence ?? (await chain.nextSequence(world.ours));
  const fee = changes.fee ?? (await chain.quoteFee(world.theirs));
  return by.sign({ from: 0, to: { account: world.theirs }, amount: 7n, sequence, fee, ...changes });
}
const paid = async () => (await chain.balanceOf(world.theirs)).total;
const close = () => world.node.knobs.close();

describe('XRP Ledger: what is signed', () => {
  it('both tags, tag 0 too, network id, last ledger and nothing else', async () => {
    const { height } = await chain.head();
    const { bytes, validity } = await sign({
      to: { account: world.theirs, tag: 0 },
      sourceTag: 0,
      sequence: 5,
    });
    expect(validity).toEqual({ signedAfter: height, lastLedgerSequence: height + 20 });
    expect(decode(bytes)).toEqual({
      TransactionType: 'Payment',
      Account: world.ours,
      Destination: world.theirs,
      DestinationTag: 0,
      SourceTag: 0,
      Amount: '7',
      Fee: (await chain.quoteFee(world.theirs)).drops,
      Sequence: 5,
      LastLedgerSequence: height + 20,
      NetworkID: chain.networkId,
      SigningPubKey: expect.any(String),
      TxnSignature: expect.any(String),
    });
  });

  it('no tags, and no network id up to 1024', async () => {
    const small = await xrplWorld({ networkId: 1_024 });
    const order = { from: 0, to: { account: world.theirs }, amount: 7n, sequence: 5, fee: { drops: '12' } };
    const { bytes } = await small.chain.sign(order);
    const named = Object.keys(decode(bytes)).filter(key =>
      /^(NetworkID|DestinationTag|SourceTag)$/.test(key),
    );
    expect(named).toEqual([]);
    await small.close();
  });

  it.each([
    [1, 4],
    [4, 4],
    [50, 50],
    [5_000, 1_000],
  ])('%i ledgers to live are %i', async (ledgersToLive, lived) => {
    const other = xrplChain({ ...xrplConfig(world.url), ledgersToLive });
    const { validity } = await sign({}, other);
    expect(validity!.lastLedgerSequence - validity!.signedAfter).toBe(lived);
    await other.close();
  });

  it('the tag of the payment is the one that the recipient sees', async () => {
    const cursor = (await chain.incoming(null, new Set([world.theirs]))).cursor;
    const { bytes, hash } = await sign({ to: { account: world.theirs, tag: 4_294_967_295 } });
    await chain.broadcast(bytes);
    close();
    expect((await chain.incoming(cursor, new Set([world.theirs]))).transfers).toMatchObject([
      { txHash: hash, from: world.ours, to: { account: world.theirs, tag: 4_294_967_295 }, amount: 7n },
    ]);
  });
});

describe('XRP Ledger: balance and fees', () => {
  it('the reserve is not spendable', async () => {
    const { total, spendable } = await chain.balanceOf(world.theirs);
    expect(total - spendable).toBe(1_000_000n);
  });

  it('an account at its reserve has nothing to spend', async () => {
    const poor = Wallet.generate().classicAddress;
    await world.pay(poor, 1_000_000n);
    expect(await chain.balanceOf(poor)).toEqual({ total: 1_000_000n, spendable: 0n });
  });

  it('the quote follows the load; a bid below it is too low, not lost for ever', async () => {
    const before = await chain.quoteFee(world.theirs);
    expect(before).toEqual({ drops: '12' });
    world.node.knobs.loadFactor(100);
    const low = await sign({ fee: before });
    expect(await chain.broadcast(low.bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'fee-too-low',
      code: 'telINSUF_FEE_P',
    });
    const after = await chain.quoteFee(world.theirs);
    expect(after).toEqual({ drops: '1200' });
    const { bytes, hash } = await sign({ fee: after });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    world.node.knobs.loadFactor(1);
    close();
    expect(await chain.stateOf(hash)).toMatchObject({ succeeded: true });
  });

  it('above the cap the network is too expensive', async () => {
    const capped = xrplChain({ ...xrplConfig(world.url), maxFeeDrops: 100n });
    expect(await capped.quoteFee(world.theirs)).toEqual({ drops: '12' });
    world.node.knobs.loadFactor(10);
    await expect(capped.quoteFee(world.theirs)).rejects.toThrow(FeeTooHigh);
    world.node.knobs.loadFactor(1);
    await expect(capped.quoteFee(world.theirs, { drops: '99' })).rejects.toThrow(FeeTooHigh);
    await capped.close();
  });
});

describe('XRP Ledger: what the server answers to a broadcast', () => {
  it('an account without money or not there: no funds, not final', async () => {
    const poor = Wallet.generate();
    const other = xrplChain({ ...xrplConfig(world.url), seed: poor.seed! });
    const order = { from: 0, to: { account: world.theirs }, amount: 7n, sequence: 5, fee: { drops: '12' } };
    const { bytes } = await other.sign(order);
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'rejected', final: false, reason: 'funds' });
    await world.pay(poor.classicAddress, 1_000_000n);
    const sequence = await chain.nextSequence(poor.classicAddress);
    const costly = await other.sign({ ...order, sequence, fee: { drops: '1000001' } });
    expect(await chain.broadcast(costly.bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'funds',
      code: 'terINSUF_FEE_B',
    });
    await other.close();
  });

  it('a foreign or changed signature is rejected for good', async () => {
    const { bytes } = await sign();
    const at = bytes.indexOf('7440') + 30;
    const changed = bytes.slice(0, at) + (bytes[at] === '0' ? '1' : '0') + bytes.slice(at + 1);
    expect(await chain.broadcast(changed)).toMatchObject({
      status: 'rejected',
      final: true,
      reason: 'malformed',
      code: 'invalidTransaction',
    });
  });

  it('a payment to oneself, malformed by the rules, is rejected for good', async () => {
    const { bytes } = await sign({ to: { account: world.ours } });
    expect(await chain.broadcast(bytes)).toMatchObject({
      status: 'rejected',
      final: true,
      reason: 'malformed',
      code: 'temREDUNDANT',
    });
  });

  it('too little for a new account fails on the ledger, and says so', async () => {
    const { bytes, hash, validity } = await sign({ to: { account: world.nobody }, amount: 999_999n });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted', code: 'tecNO_DST_INSUF_XRP' });
    close();
    expect(await chain.stateOf(hash, validity)).toMatchObject({ status: 'final', succeeded: false });
  });

  it('a transaction after its last ledger is expired by this answer, not proven gone', async () => {
    const { bytes } = await sign();
    for (let i = 0; i < 21; i++) close();
    expect(await chain.broadcast(bytes)).toMatchObject({
      status: 'rejected',
      final: false,
      reason: 'expired',
      code: 'tefMAX_LEDGER',
    });
  });

  it('one that the server keeps for a later ledger is accepted, and paid then', async () => {
    const { bytes, hash } = await sign();
    world.node.knobs.delayNext(2);
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    close();
    expect((await chain.stateOf(hash)).status).not.toBe('final');
    for (let i = 0; i < 3; i++) close();
    expect(await chain.stateOf(hash)).toMatchObject({ status: 'final', succeeded: true });
  });
});

describe('XRP Ledger: when a transfer has finally failed', () => {
  it('only after its last ledger, and then it can be signed anew with the same sequence', async () => {
    const before = await paid();
    const sequence = await chain.nextSequence(world.ours);
    const { bytes, hash, validity } = await sign({ sequence });
    world.node.knobs.dropNext();
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    while ((await chain.head()).height < validity!.lastLedgerSequence) {
      expect(await chain.stateOf(hash, validity)).toEqual({ status: 'unknown' });
      close();
    }
    expect(await chain.stateOf(hash, validity)).toEqual({ status: 'expired' });
    expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
    const anew = await sign({ sequence });
    expect(await chain.broadcast(anew.bytes)).toMatchObject({ status: 'accepted' });
    close();
    expect(await chain.stateOf(anew.hash, anew.validity)).toMatchObject({ succeeded: true });
    expect(await paid()).toBe(before + 7n);
  });

  it('not before its last ledger is validated, even when the server says that it searched all', async () => {
    const proxy = await startXrplProxy(world.url);
    const other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
    const { hash, validity } = await sign();
    close();
    proxy.rule((command, answer) => (command === 'tx' ? { ...answer, searched_all: true } : answer));
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'unknown' });
    for (let i = 0; i < 20; i++) close();
    expect(await other.stateOf(hash, validity)).toEqual({ status: 'expired' });
    await other.close();
    await proxy.close();
  });

  it('one that stands in its very last ledger has not', async () => {
    const { bytes, hash, validity } = await sign();
    while ((await chain.head()).height < validity!.lastLedgerSequence - 1) close();
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    close();
    expect(await chain.stateOf(hash, validity)).toMatchObject({
      status: 'final',
      height: validity!.lastLedgerSequence,
      succeeded: true,
    });
    for (let i = 0; i < 30; i++) close();
    expect(await chain.stateOf(hash, validity)).toMatchObject({ status: 'final', succeeded: true });
  });

  it('not while the server lacks a ledger in which it could stand', async () => {
    const short = await xrplWorld();
    await short.pay(short.ours, short.riches);
    const sequence = await short.chain.nextSequence(short.ours);
    const fee = await short.chain.quoteFee(short.theirs);
    const order = { from: 0, to: { account: short.theirs }, amount: 7_000_000n, sequence, fee };
    const { bytes, hash, validity } = await short.chain.sign(order);
    await short.chain.broadcast(bytes);
    await short.advance(30);
    expect(await short.chain.stateOf(hash, validity)).toMatchObject({ status: 'final' });
    short.node.knobs.forgetHistory(validity!.signedAfter + 3);
    expect(await short.chain.stateOf(hash, validity)).toEqual({ status: 'unknown' });
    await short.close();
  });
});

describe('XRP Ledger: a bad connection while sending', () => {
  let proxy: XrplProxy;
  let other: Chain;
  beforeEach(async () => {
    proxy = await startXrplProxy(world.url);
    other = xrplChain({ ...xrplConfig(proxy.url), timeoutMs: 1_000 });
    await other.connect();
  });
  afterEach(async () => {
    await other.close();
    await proxy.close();
  });

  it.each(['cut', 'never answered'])(
    '%s after it arrived: unclear, and the same bytes again pay once',
    async how => {
      const before = await paid();
      const { bytes, hash, validity } = await sign();
      proxy.rule((command, answer) => {
        if (command !== 'submit') return answer;
        if (how === 'cut') proxy.cut();
        return null;
      });
      expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
      proxy.rule(undefined);
      let again = await other.broadcast(bytes);
      while (again.status === 'unclear') again = await other.broadcast(bytes);
      expect(again).toMatchObject({ status: 'already-known' });
      close();
      expect(await other.stateOf(hash, validity)).toMatchObject({ succeeded: true });
      expect(await paid()).toBe(before + 7n);
    },
  );

  const answering = (engine_result: string) =>
    proxy.rule((command, answer) =>
      command === 'submit'
        ? { ...answer, result: { ...(answer.result as object), engine_result, engine_result_message: 'x' } }
        : answer,
    );
  it.each([
    ['tefALREADY', { status: 'already-known' }],
    ['tefPAST_SEQ', { status: 'already-known' }],
    ['tefNO_TICKET', { status: 'already-known' }],
    ['terQUEUED', { status: 'accepted' }],
    ['terPRE_SEQ', { status: 'accepted' }],
    ['tecPATH_DRY', { status: 'accepted' }],
    ['terRETRY', { status: 'unclear' }],
    ['telLOCAL_ERROR', { status: 'unclear' }],
    ['somethingNew', { status: 'unclear' }],
    ['telCAN_NOT_QUEUE_FULL', { status: 'rejected', final: false, reason: 'fee-too-low' }],
    ['telWRONG_NETWORK', { status: 'rejected', final: false, reason: 'refused' }],
    ['tefMASTER_DISABLED', { status: 'rejected', final: false, reason: 'refused' }],
    ['temBAD_FEE', { status: 'rejected', final: true, reason: 'malformed' }],
  ])('%s means %o', async (result, expected) => {
    const { bytes } = await sign();
    answering(result);
    expect(await other.broadcast(bytes)).toMatchObject({ ...expected, code: result });
    close();
  });

  it.each(['tooBusy', 'slowDown', 'noNetwork', 'internal', 'highFee'])(
    'the error %s is unclear',
    async error => {
      proxy.rule((command, { result, ...answer }) =>
        command === 'submit' ? { ...answer, status: 'error', error } : { ...answer, result },
      );
      expect(await other.broadcast((await sign()).bytes)).toMatchObject({ status: 'unclear' });
      close();
    },
  );

  it('a server that became another network meanwhile gets nothing', async () => {
    const before = await paid();
    const { bytes } = await sign();
    proxy.rule((command, answer) => {
      if (command !== 'server_info') return answer;
      const { info } = answer.result as { info: object };
      return { ...answer, result: { info: { ...info, network_id: 1 } } };
    });
    proxy.cut();
    const outcome = async () => {
      for (let attempt = 0; ; attempt++) {
        const answer = await other.broadcast(bytes).catch(error => error);
        if (attempt === 100 || answer.status !== 'unclear') return answer;
      }
    };
    expect(await outcome()).toBeInstanceOf(ChainRefused);
    close();
    expect(await paid()).toBe(before);
  });
});

describe('XRP Ledger: many at once', () => {
  it('100 payments with reserved sequences, broadcast at once in any order, are each paid once', async () => {
    const before = await paid();
    const first = await chain.nextSequence(world.ours);
    const fee = await chain.quoteFee(world.theirs);
    const signed = await Promise.all(
      Array.from({ length: 100 }, (_, i) => sign({ sequence: first + i, fee })),
    );
    await Promise.all(signed.map((_, i) => chain.broadcast(signed[99 - i]!.bytes)));
    for (let i = 0; i < 3; i++) close();
    for (const { hash } of signed) expect(await chain.stateOf(hash)).toMatchObject({ succeeded: true });
    expect(await paid()).toBe(before + 700n);
  });
});
