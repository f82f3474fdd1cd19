import { Transaction, Wallet } from 'ethers';
import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A signed transaction with blobs is as long as the protocol allows. */

/** Of a blob of zeros the commitment and every proof are the point at infinity. */
const INFINITY = `0xc0${'00'.repeat(47)}`;
const CELLS = 128;
const BLOB = `0x${'00'.repeat(131_072)}`;

const world = await forFile(createWorld());
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 60_000));

test.each([
  [1, 'one proof for each', 0],
  [1, 'a proof for each cell', 1],
  [6, 'a proof for each cell', 1],
] as const)('%i blobs with %s', async (count, _, wrapper) => {
  const wallet = Wallet.createRandom();
  await world.api.faucet('ETH', wallet.address, '1');
  const tx = Transaction.from({
    type: 3,
    chainId: 31_337,
    nonce: 0,
    to: wallet.address,
    gasLimit: 21_000,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    maxFeePerBlobGas: 10n ** 10n,
  });
  const proof = wrapper === 1 ? `0x${INFINITY.slice(2).repeat(CELLS)}` : INFINITY;
  if (wrapper === 1) tx.blobWrapperVersion = 1;
  tx.blobs = Array.from({ length: count }, () => ({ data: BLOB, commitment: INFINITY, proof }));
  const hash = await rpc.call<string>('eth_sendRawTransaction', await wallet.signTransaction(tx));
  await world.idle();
  const receipt = await rpc.call<Record<string, string>>('eth_getTransactionReceipt', hash);
  expect(receipt).toMatchObject({ status: '0x1', type: '0x3' });
  expect(Number(receipt.blobGasUsed)).toBe(count * 131_072);
});
