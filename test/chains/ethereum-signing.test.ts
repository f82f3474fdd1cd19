import { Transaction } from 'ethers/transaction';
import { expect, it } from 'vitest';
import { ethereumWallet } from '../../src/chains/ethereum/wallet.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const wallet = ethereumWallet(MNEMONIC, 31_337);
const order = { from: 1, to: { account: `0x${'ab'.repeat(20)}` }, amount: 127n, sequence: 3 };

it.each([
  ['by EIP-1559', { maxFeePerGas: '500', maxPriorityFeePerGas: '0', gasLimit: '21000' }, 2],
  ['with a gas price', { gasPrice: '7', gasLimit: '21000' }, 0],
])('a payment %s is signed by its account', async (_name, fee, type) => {
  const { bytes, hash } = await wallet.sign({ ...order, fee });
  const sent = Transaction.from(bytes);
  const { from, to, value, nonce, chainId, gasLimit } = sent;
  expect(sent.hash).toBe(hash);
  expect(sent.type).toBe(type);
  expect(from?.toLowerCase()).toBe(wallet.address(1));
  expect([to?.toLowerCase(), value, nonce, chainId, gasLimit]).toEqual([order.to.account, 127n, 3, 31_337n, 21_000n]);
});
