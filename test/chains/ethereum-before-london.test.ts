import { afterAll, expect, test } from 'vitest';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { FeeTooHigh } from '../../src/chains/port.ts';
import { anvilBinary, spawnGuarded } from '../../src/devnet/ethereum/launch.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ETHEREUM_CHAIN_ID, ethereumConfig } from '../support/chains/chain-world.ts';
import { freePort } from '../support/process/program.ts';
import { until } from '../support/until.ts';

const THEIRS = `0x${'7e'.repeat(20)}`;

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const options = ['--quiet', '--port', String(port), '--chain-id', String(ETHEREUM_CHAIN_ID)];
/** A chain whose blocks have no base fee. */
const node = spawnGuarded(anvilBinary(), [...options, '--hardfork', 'berlin']);
const rpc = jsonRpc(url, 10_000);
const chain = ethereumChain(ethereumConfig(url));
await until(() =>
  rpc.call('anvil_setBalance', chain.ownAccount(0), '0xde0b6b3a7640000').then(
    () => true,
    () => false,
  ),
);
afterAll(async () => {
  await chain.close();
  await rpc.close();
  node.kill('SIGKILL');
  await node.exited;
});

const payment = () => ({ from: chain.ownAccount(0), to: THEIRS, amount: 7n });
const order = async (amount: bigint) => ({
  from: 0,
  to: { account: THEIRS },
  amount,
  sequence: (await chain.numbers(chain.ownAccount(0))).next,
});

test('SEND-1, before London: a payout bids a gas price and is paid', async () => {
  const fee = await chain.quoteFee(payment());
  expect(fee).toEqual({ gasPrice: expect.stringMatching(/^[1-9]\d*$/), gasLimit: '26250' });
  expect(chain.costOf(fee)).toBe(BigInt(fee.gasPrice!) * 26_250n);
  const { bytes, hash } = await chain.sign({ ...(await order(7n)), fee });
  expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
  await until(async () => (await chain.stateOf(hash)).status === 'final');
  expect((await chain.balanceOf(THEIRS)).total).toBe(7n);
});

test('SEND-5, before London: a stuck payout is replaced by a higher price', async () => {
  await rpc.call('evm_setAutomine', false);
  const stuck = await order(9n);
  const fee = await chain.quoteFee(payment());
  const first = await chain.sign({ ...stuck, fee });
  expect(await chain.broadcast(first.bytes)).toMatchObject({ status: 'accepted' });
  const higher = await chain.quoteFee(payment(), fee);
  expect(BigInt(higher.gasPrice!) >= (BigInt(fee.gasPrice!) * 11n) / 10n).toBe(true);
  const second = await chain.sign({ ...stuck, fee: higher });
  expect(await chain.broadcast(second.bytes)).toMatchObject({ status: 'accepted' });
  await rpc.call('evm_setAutomine', true);
  await rpc.call('evm_mine');
  await until(async () => (await chain.stateOf(second.hash)).status === 'final');
  expect((await chain.balanceOf(THEIRS)).total).toBe(16n);
});

test('before London: never above the cap', async () => {
  const capped = ethereumChain({ ...ethereumConfig(url), maxFeePerGas: 1n });
  await expect(capped.quoteFee(payment())).rejects.toThrow(FeeTooHigh);
  await capped.close();
});
