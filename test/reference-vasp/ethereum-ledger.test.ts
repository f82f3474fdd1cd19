import { JsonRpcProvider, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ethereumLedger } from '../../src/reference-vasp/ledgers/ethereum.ts';
import { type RpcAnswer, type RpcProxy, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** One transaction of a contract that pays three times, as the reference VASP sees it. */
describe.skipIf(BY_URL)('the payments of a contract', () => {
  let world: World;
  let proxy: RpcProxy;
  let hash: string;
  let ledger: ReturnType<typeof ethereumLedger>;
  const [first, ...others] = ['0.1', '0.2', '0.3'].map(amount => ({ address: Wallet.createRandom().address, amount }));
  /** The call of the contract comes first. */
  const paid = [first!, ...others].map(({ address, amount }, index) => ({
    index: index + 1,
    height: expect.any(Number) as number,
    to: address,
    units: BigInt(Number(amount) * 10) * 10n ** 17n,
  }));

  beforeAll(async () => {
    world = await createWorld();
    ({ txHash: hash } = await world.api.faucet('ETH', first!.address, first!.amount, { others }));
    proxy = await startRpcProxy(`${world.url}/devnet/ethereum`);
    ledger = ethereumLedger(proxy.url, 'secret', 1);
  });
  afterAll(async () => {
    await ledger.close();
    await proxy.close();
    await world.close();
  });

  type Answer = (id: number) => RpcAnswer;
  const tracesWith = (answer: Answer) =>
    proxy.rule(({ id, method }) => (method === 'debug_traceTransaction' ? answer(id) : undefined));
  const refusal =
    (code: number, message: string): Answer =>
    id => ({ body: { jsonrpc: '2.0', id, error: { code, message } } });

  test.each<[string, Answer]>([
    ['cuts the connection', () => ({ cut: true })],
    ['is busy', refusal(-32005, 'limit exceeded')],
    ['has no time', refusal(-32000, 'The Ethereum node does not answer now.')],
    ['answers with a page of text', () => ({ status: 502, text: 'Bad gateway' })],
  ])('are not judged by a node that %s, and are seen afterwards', async (_, answer) => {
    tracesWith(answer);
    await expect(ledger.paymentsOf(hash)).rejects.toThrow();
    proxy.rule(undefined);
    expect((await ledger.paymentsOf(hash))?.slice(1)).toEqual(paid);
  });

  test('D-25: a call that runs code of another account with a value of its own pays that account nothing', async () => {
    const node = new JsonRpcProvider(`${world.url}/devnet/ethereum`);
    onTestFinished(() => node.destroy());
    const value = 10n ** 17n;
    const victim = Wallet.createRandom().address;
    // Made with this value, the contract runs CALLCODE with it.
    const data = `0x${'6000'.repeat(4)}67${value.toString(16).padStart(16, '0')}73${victim.slice(2)}5af200`;
    const sent = await (await node.getSigner()).sendTransaction({ data, value });
    const { contractAddress } = (await sent.wait())!;
    const [frame] = (await node.send('debug_traceTransaction', [sent.hash, { tracer: 'callTracer' }])).calls;
    expect(frame).toMatchObject({ type: 'CALLCODE', to: victim.toLowerCase(), value: `0x${value.toString(16)}` });
    expect(await node.getBalance(victim)).toBe(0n);
    expect((await ledger.paymentsOf(sent.hash))!.map(({ to }) => to)).toEqual([contractAddress]);
  });

  test('SEND-5: one that has failed is CANCELED only when its block is final: in another block it may pay', async () => {
    const careful = ethereumLedger(proxy.url, 'secret', 3);
    onTestFinished(() => careful.close());
    const node = new JsonRpcProvider(`${world.url}/devnet/ethereum`);
    onTestFinished(() => node.destroy());
    const receipt = await node.send('eth_getTransactionReceipt', [hash]);
    proxy.rule(({ id, method }) =>
      method === 'eth_getTransactionReceipt'
        ? { body: { jsonrpc: '2.0', id, result: { ...receipt, status: '0x0' } } }
        : undefined,
    );
    const status = () => careful.statusOf({ hash, bytes: '' });
    expect(await status()).toBe('WAIT-CONFIRM');
    for (let blocks = 1; blocks < 3; blocks++) await node.send('evm_mine', []);
    expect(await status()).toBe('CANCELED');
    proxy.rule(undefined);
    expect(await status()).toBe('CONFIRMED');
  });

  test.each([
    ['the method does not exist', -32601],
    ['the method is not allowed', -32004],
  ])('are not seen through a node that does not trace: %s', async (message, code) => {
    tracesWith(refusal(code, message));
    const seen = await ledger.paymentsOf(hash);
    expect(seen).toHaveLength(1);
    expect(paid.map(({ to }) => to)).not.toContain(seen![0]!.to);
  });
});
