import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { type Chain, type Fee, FeeTooHigh, type TransferOrder } from '../../src/chains/port.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';
import { type RpcProxy, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { forFile } from '../support/world/for-file.ts';

const GWEI = 1_000_000_000n;

const world = await forFile(ethereumWorld());
const chain = world.chain;
const rpc = await forFile(jsonRpc(world.url, 30_000));
await world.pay(world.ours, world.riches);

const bid = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fee => ({
  maxFeePerGas: String(maxFeePerGas),
  maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  gasLimit: '21000',
});
async function sign(changes: Partial<TransferOrder> = {}) {
  const sequence = changes.sequence ?? (await chain.numbers(world.ours)).next;
  const fee = changes.fee ?? (await chain.quoteFee(world.payment));
  return chain.sign({ from: 0, to: { account: world.theirs }, amount: 7n, sequence, fee, ...changes });
}
async function included(hash: string) {
  for (;;) {
    const state = await chain.stateOf(hash);
    if (state.status === 'final' || state.status === 'included') return state;
  }
}
const paid = async () => (await chain.balanceOf(world.theirs)).total;

describe('Ethereum: replacement of a stuck transaction', () => {
  it('a replacement with the quoted bid takes its place: one of the two is paid', async () => {
    const before = await paid();
    const sequence = (await chain.numbers(world.ours)).next;
    await world.hold(true);
    const stuckFee = await chain.quoteFee(world.payment);
    const stuck = await sign({ sequence, fee: stuckFee });
    expect(await chain.broadcast(stuck.bytes)).toMatchObject({ status: 'accepted' });
    const instead = await sign({ sequence, fee: await chain.quoteFee(world.payment, stuckFee) });
    expect(await chain.broadcast(instead.bytes)).toMatchObject({ status: 'accepted' });
    await world.hold(false);
    expect(await included(instead.hash)).toMatchObject({ succeeded: true });
    expect(await chain.stateOf(stuck.hash)).toEqual({ status: 'unknown' });
    expect(await chain.broadcast(stuck.bytes)).toMatchObject({ status: 'already-known' });
    expect(await paid()).toBe(before + 7n);
  });

  it('one that does not bid enough is outbid, and the first one is paid', async () => {
    const before = await paid();
    const sequence = (await chain.numbers(world.ours)).next;
    await world.hold(true);
    const fee = await chain.quoteFee(world.payment);
    const first = await sign({ sequence, fee });
    await chain.broadcast(first.bytes);
    const other = await sign({ sequence, fee, amount: 8n });
    expect(await chain.broadcast(other.bytes)).toMatchObject({ status: 'outbid' });
    await world.hold(false);
    expect(await included(first.hash)).toMatchObject({ succeeded: true });
    expect(await paid()).toBe(before + 7n);
  });

  it('one that was dropped by the node is accepted again', async () => {
    await world.hold(true);
    const { bytes, hash } = await sign();
    await chain.broadcast(bytes);
    await world.node.controls.drop(hash);
    expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    await world.hold(false);
    expect(await included(hash)).toMatchObject({ succeeded: true });
  });

  it('one that a reorganisation removed is accepted again, and paid once', async () => {
    const before = await paid();
    await world.advance(2);
    const { bytes, hash } = await sign();
    await chain.broadcast(bytes);
    await included(hash);
    await world.node.controls.reorg(1);
    expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    await included(hash);
    expect(await paid()).toBe(before + 7n);
  });
});

describe('Ethereum: fees', () => {
  it('the quote follows a fee spike, and a bid below it is too low, not lost for ever', async () => {
    const before = await chain.quoteFee(world.payment);
    await world.node.controls.feeSpike(100n * GWEI);
    await world.advance(1);
    await world.node.controls.feeSpike(100n * GWEI);
    const low = await sign({ fee: before });
    expect(await chain.broadcast(low.bytes)).toMatchObject({ status: 'rejected', final: false, reason: 'fee-too-low' });
    const after = await chain.quoteFee(world.payment);
    expect(BigInt(after.maxFeePerGas!)).toBeGreaterThanOrEqual(200n * GWEI);
    const { bytes, hash } = await sign({ fee: after });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
    expect(await included(hash)).toMatchObject({ succeeded: true });
    await world.advance(60);
  });

  it('never above the cap: less room first, then the network is too expensive', async () => {
    const capped = ethereumChain({ ...ethereumConfig(world.url), maxFeePerGas: 30n * GWEI });
    await world.node.controls.feeSpike(20n * GWEI);
    await world.advance(1);
    expect(await capped.quoteFee(world.payment)).toMatchObject({ maxFeePerGas: String(30n * GWEI) });
    await world.node.controls.feeSpike(40n * GWEI);
    await world.advance(1);
    await expect(capped.quoteFee(world.payment)).rejects.toThrow(FeeTooHigh);
    await expect(chain.quoteFee(world.payment, bid(450n * GWEI, GWEI))).rejects.toThrow(FeeTooHigh);
    await world.advance(60);
    await capped.close();
  });

  it.each([1n, 7n, 8n, 9n, 1_000_000_007n])('a bid of %i is raised by at least an eighth, rounded up', async before => {
    const after = await chain.quoteFee(world.payment, bid(before, before));
    expect(BigInt(after.maxPriorityFeePerGas!) * 8n).toBeGreaterThanOrEqual(before * 9n);
    expect(BigInt(after.maxFeePerGas!)).toBeGreaterThanOrEqual(BigInt(after.maxPriorityFeePerGas!));
  });

  it('a recipient that is a contract gets the gas that it needs', async () => {
    const contract = `0x${'c1'.repeat(20)}`;
    // Stores the value that came: 22,000 gas more than a plain transfer.
    await rpc.call('anvil_setCode', contract, '0x3460005500');
    const fee = await chain.quoteFee({ ...world.payment, to: contract });
    expect(Number(fee.gasLimit)).toBeGreaterThan(40_000);
    const { bytes, hash } = await sign({ to: { account: contract }, fee });
    await chain.broadcast(bytes);
    expect(await included(hash)).toMatchObject({ succeeded: true });
  });

  it('too little gas fails on chain, and says so', async () => {
    const contract = `0x${'c1'.repeat(20)}`;
    const fee = { ...(await chain.quoteFee({ ...world.payment, to: contract })), gasLimit: '22000' };
    const { bytes, hash } = await sign({ to: { account: contract }, fee });
    await chain.broadcast(bytes);
    expect(await included(hash)).toMatchObject({ succeeded: false, failure: expect.stringMatching(/out of ?gas/i) });
  });
});

describe('Ethereum: what nodes answer to a broadcast', () => {
  let proxy: RpcProxy;
  let other: Chain;
  beforeEach(async () => {
    proxy = await startRpcProxy(world.url);
    other = ethereumChain({ ...ethereumConfig(proxy.url), timeoutMs: 1_000 });
  });
  afterEach(async () => {
    await other.close();
    await proxy.close();
  });
  const onSend = (answer: object) =>
    proxy.rule(({ method }) => (method === 'eth_sendRawTransaction' ? answer : undefined));

  it.each([
    ['geth', -32000, 'nonce too low: next nonce 5, tx nonce 3', 'already-known'],
    ['Erigon', -32000, 'nonce too low', 'already-known'],
    ['Besu', -32001, 'Nonce too low', 'already-known'],
    ['Nethermind', -32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 3', 'already-known'],
    ['Anvil', -32003, 'nonce too low', 'already-known'],
    ['OpenEthereum', -32010, 'Transaction nonce is too low. Try incrementing the nonce.', 'already-known'],
    ['geth', -32000, 'already known', 'already-known'],
    ['Nethermind', -32010, 'AlreadyKnown', 'already-known'],
    ['Besu', -32000, 'Known transaction', 'already-known'],
    ['Anvil', -32003, 'transaction already imported', 'already-known'],
    ['geth', -32000, 'replacement transaction underpriced', 'outbid'],
    ['Nethermind', -32010, 'ReplacementNotAllowed', 'outbid'],
    ['Parity', -32016, 'another one with same nonce; gas price too low to replace', 'outbid'],
    ['geth', -32000, 'transaction underpriced: tip needed 1, tip permitted 0', 'fee-too-low'],
    ['geth', -32000, 'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1', 'fee-too-low'],
    ['Nethermind', -32010, 'FeeTooLow, MaxFeePerGas too low', 'fee-too-low'],
    ['geth', -32000, 'tx fee (1.05 ether) exceeds the configured cap (1.00 ether)', 'fee-too-high'],
    ['geth', -32000, 'insufficient funds for gas * price + value: balance 0', 'funds'],
    ['Nethermind', -32010, 'InsufficientFunds, Balance is 0', 'funds'],
    ['Hardhat', -32000, "Sender doesn't have enough funds to send tx. The max upfront cost is: 1", 'funds'],
    ['Besu', -32004, 'Upfront cost exceeds account balance', 'funds'],
    ['Erigon', -32000, 'existing tx with same hash', 'already-known'],
    ['Erigon', -32000, 'could not replace existing tx', 'outbid'],
    ['Hardhat', -32000, 'Transaction maxFeePerGas (1) is too low for the next block, which has', 'fee-too-low'],
    ['geth', -32000, 'txpool is full', 'busy'],
    ['geth', -32000, 'nonce too high', 'sequence-gap'],
    ['geth', -32000, 'invalid sender', 'malformed'],
    ['geth', -32000, 'intrinsic gas too low: gas 1, minimum needed 21000', 'malformed'],
    ['anybody', -32603, 'Internal error', 'unclear'],
    ['anybody', -32000, 'request timed out', 'unclear'],
    ['anybody', -32000, 'failed to decode response from upstream', 'unclear'],
    ['anybody', -32005, 'rate limit exceeded', 'unclear'],
    ['anybody', 429, 'Too Many Requests', 'unclear'],
    ['anybody', -32016, 'over rate limit', 'unclear'],
    ['anybody', -32007, '50/second request limit reached - reduce calls per second', 'unclear'],
  ])('%s: %i %s is %s', async (_, code, message, meaning) => {
    onSend({ body: { jsonrpc: '2.0', id: 1, error: { code, message } } });
    const { bytes } = await sign();
    const answer = await other.broadcast(bytes);
    const expected = ['already-known', 'outbid', 'unclear'].includes(meaning)
      ? { status: meaning }
      : { status: 'rejected', reason: meaning, final: meaning === 'malformed' };
    expect(answer).toMatchObject(expected);
  });

  it.each([
    ['the connection is cut after it arrived', { cut: true }, true],
    ['HTTP 502', { status: 502, text: 'Bad Gateway' }, false],
    ['HTTP 429', { status: 429, text: 'Too Many Requests' }, false],
    ['an empty answer', { text: '' }, false],
  ])('%s: unclear, and the same bytes again pay once', async (_, answer, arrived) => {
    const before = await paid();
    const { bytes, hash } = await sign();
    onSend(answer);
    expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
    if (arrived) await included(hash);
    else expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
    proxy.rule(undefined);
    expect(await other.broadcast(bytes)).toMatchObject({ status: arrived ? 'already-known' : 'accepted' });
    await included(hash);
    expect(await paid()).toBe(before + 7n);
  });

  it('an answer that is late is unclear, within the time limit', async () => {
    const { bytes, hash } = await sign();
    const letGo: (() => void)[] = [];
    proxy.rule(({ method }) =>
      method === 'eth_sendRawTransaction' ? new Promise(resolve => letGo.push(() => resolve(undefined))) : undefined,
    );
    expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
    for (const go of letGo) go();
    expect(await included(hash)).toMatchObject({ succeeded: true });
  });

  it('a transaction for another chain is refused by the node for good', async () => {
    const foreign = ethereumChain({ ...ethereumConfig(world.url), chainId: 5 });
    const { bytes } = await foreign.sign({
      from: 0,
      to: { account: world.theirs },
      amount: 7n,
      sequence: (await chain.numbers(world.ours)).next,
      fee: await chain.quoteFee(world.payment),
    });
    expect(await chain.broadcast(bytes)).toMatchObject({ status: 'rejected', final: true, reason: 'malformed' });
    await foreign.close();
  });
});

describe('Ethereum: many at once', () => {
  it('100 transfers with reserved sequences, broadcast at once in any order, are each paid once', async () => {
    const before = await paid();
    const first = (await chain.numbers(world.ours)).next;
    const fee = await chain.quoteFee(world.payment);
    const signed = await Promise.all(Array.from({ length: 100 }, (_, i) => sign({ sequence: first + i, fee })));
    await Promise.all(signed.map(({ bytes }, i) => chain.broadcast(signed[99 - i]?.bytes ?? bytes)));
    for (const { hash } of signed) expect(await included(hash)).toMatchObject({ succeeded: true });
    expect(await paid()).toBe(before + 700n);
  });
});
