import { parseEther, type TransactionRequest, Wallet } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { CONTRACTS, deploy, word } from '../support/chains/contracts.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** D-36: a reported transaction whose nonce another transaction of its sender has used. */

const GWEI = 1_000_000_000n;

// The chain controls are those of the embedded chain.
describe.skipIf(BY_URL)('REPLACED', () => {
  let world: World;
  let rpc: JsonRpc;
  let wallet: Wallet;
  let forwarder: string;
  let reverter: string;
  beforeAll(async () => {
    world = await createWorld();
    rpc = jsonRpc(`${world.url}/devnet/ethereum`, 5_000);
    [forwarder, reverter] = [await deploy(rpc, CONTRACTS.forwarder), await deploy(rpc, CONTRACTS.reverter)];
  });
  beforeEach(async () => {
    wallet = Wallet.createRandom() as unknown as Wallet;
    await world.api.faucet('ETH', wallet.address, '500');
  });
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });

  /** With the nonce 0, and a fee of so many gwei. */
  async function send(gwei: bigint, transaction: TransactionRequest): Promise<string> {
    const chainId = Number(await rpc.call<string>('eth_chainId'));
    const fees = { maxFeePerGas: gwei * GWEI, maxPriorityFeePerGas: gwei * GWEI };
    const filled = { type: 2, chainId, nonce: 0, gasLimit: 300_000n, ...fees, ...transaction };
    return rpc.call<string>('eth_sendRawTransaction', await wallet.signTransaction(filled));
  }
  const payment = ({ to, amount }: Verified) => ({ to, value: parseEther(amount) });
  const reported = async ({ uuid }: Verified, txHash: string) => {
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash });
    await world.idle();
  };
  const reportOf = async ({ uuid }: Verified) =>
    (await world.api.verifications({ search: uuid })).verifications[0]?.report;

  const waitsFor = (number: number, missing: string) => ({
    verdict: 'NOT-FINAL',
    got: `in no block yet: its number (nonce) is ${number}, and its sender has sent no transaction with these numbers: ${missing}`,
  });

  test('a transaction that waits for earlier numbers: they are named, and sending them helps', async () => {
    const verification = await verified(world);
    const waiting = await send(5n, { ...payment(verification), nonce: 4 });
    await send(5n, { to: wallet.address, nonce: 2 });
    await reported(verification, waiting);
    expect(await reportOf(verification)).toMatchObject(waitsFor(4, '0, 1, 3'));
    await send(5n, { to: wallet.address, nonce: 0 });
    await reported(verification, waiting);
    expect(await reportOf(verification)).toMatchObject(waitsFor(4, '1, 3'));
    await send(5n, { to: wallet.address, nonce: 1 });
    await reported(verification, waiting);
    expect(await reportOf(verification)).toMatchObject(waitsFor(4, '3'));
    await send(5n, { to: wallet.address, nonce: 3 });
    await reported(verification, waiting);
    expect(await reportOf(verification)).toMatchObject({ verdict: 'CREDITED' });
  });

  test('of many earlier numbers ten are looked up, and the rest is said', async () => {
    const verification = await verified(world);
    const waiting = await send(5n, { ...payment(verification), nonce: 5_000 });
    await send(5n, { to: wallet.address, nonce: 3 });
    await reported(verification, waiting);
    expect(await reportOf(verification)).toMatchObject(
      waitsFor(5_000, '0, 1, 2, 4, 5, 6, 7, 8, 9; those from 10 on were not looked up'),
    );
  });

  /** `first` is reported while it waits, then `second` takes its nonce in a block. */
  async function replace(
    verification: Verified,
    second: (verification: Verified) => TransactionRequest,
  ): Promise<{ first: string; second: string }> {
    await world.api.setControl('ETH', 'hold', { on: true });
    const first = await send(5n, payment(verification));
    await reported(verification, first);
    expect(await reportOf(verification)).toMatchObject({ verdict: 'NOT-FINAL' });
    const other = await send(9n, second(verification));
    await world.api.setControl('ETH', 'hold', { on: false });
    await world.idle();
    return { first, second: other };
  }

  test('by the same payment with a higher fee: named at once, and credited once when it is reported', async () => {
    const verification = await verified(world);
    const { first, second } = await replace(verification, payment);
    const { amount, to } = verification;
    expect(await reportOf(verification)).toMatchObject({
      verdict: 'REPLACED',
      expected: `${first}: ${amount} ETH → ${to}`,
      got: expect.stringMatching(
        new RegExp(
          `^${second} in block \\d+ has used the nonce of its sender, and has paid ${amount} ETH → ${to}: report it instead$`,
        ),
      ),
    });
    const before = await balanceAt(world, 'ETH', to);
    await reported(verification, second);
    expect(await reportOf(verification)).toMatchObject({ verdict: 'CREDITED' });
    expect(Number(await balanceAt(world, 'ETH', to)) - Number(before)).toBeCloseTo(Number(amount));
  });

  test.each<[string, (verification: Verified) => TransactionRequest, RegExp]>([
    ['another amount', ({ to }) => ({ to, value: parseEther('3') }), /has paid 3 ETH → 0x/],
    [
      'a cancel to the sender',
      () => ({ to: wallet.address, value: 0n }),
      /has paid nothing: the payment was cancelled$/,
    ],
    [
      'a cancel that sends to itself',
      () => ({ to: wallet.address, value: 7n }),
      /has paid nothing: the payment was cancelled$/,
    ],
    ['a payment to a stranger', () => ({ to: freshAddress('ETH'), value: parseEther('2') }), /has paid 2 ETH → 0x/],
    [
      'a contract that pays it',
      verification => ({ ...payment(verification), to: forwarder, data: `0x${word(verification.to)}` }),
      /: report it instead$/,
    ],
    [
      'a call that fails',
      verification => ({ ...payment(verification), to: reverter, data: `0x${word(verification.to)}` }),
      /has failed: .*revert/i,
    ],
  ])('by %s', async (_, second, got) => {
    const verification = await verified(world);
    const { second: other } = await replace(verification, second);
    const report = await reportOf(verification);
    expect(report).toMatchObject({ verdict: 'REPLACED', got: expect.stringMatching(got) });
    expect(report?.got).toContain(other);
    const { attention } = await world.api.health();
    expect(attention.filter(each => each.verificationUuid === verification.uuid)).toMatchObject([
      { what: 'report-not-credited' },
    ]);
  });

  test('dropped, and nothing took its place: AWAITED; sent again, it is credited', async () => {
    const verification = await verified(world);
    await world.api.setControl('ETH', 'hold', { on: true });
    const txHash = await send(5n, payment(verification));
    await reported(verification, txHash);
    await world.api.setControl('ETH', 'drop', { txHash });
    await world.api.setControl('ETH', 'hold', { on: false });
    await world.api.setControl('ETH', 'mine', { blocks: 1 });
    await world.idle();
    expect(await reportOf(verification)).toMatchObject({ verdict: 'AWAITED' });
    await send(5n, payment(verification));
    await world.idle();
    expect(await reportOf(verification)).toMatchObject({ verdict: 'CREDITED' });
  });

  test('a reorganisation removes the one that took its place: the reported one is credited after all', async () => {
    const verification = await verified(world);
    const { first, second } = await replace(verification, () => ({ to: wallet.address, value: 0n }));
    const { blockNumber } = await rpc.call<{ blockNumber: string }>('eth_getTransactionReceipt', second);
    const head = await rpc.call<string>('eth_blockNumber');
    const depth = Number(BigInt(head) - BigInt(blockNumber)) + 1;
    await world.api.setControl('ETH', 'reorg', { depth });
    expect(await send(5n, payment(verification))).toBe(first);
    await world.idle();
    expect(await reportOf(verification)).toMatchObject({ verdict: 'CREDITED' });
  });
});
