import { Transaction, type TransactionRequest, Wallet } from 'ethers';
import { describe, expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { CONTRACTS, deploy, word } from '../support/chains/contracts.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** A deposit counts whatever the type of its transaction is. */
describe.skipIf(BY_URL)('a deposit by a transaction', async () => {
  const world = await forFile(createWorld());
  const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 60_000));

  const GWEI = 10n ** 9n;
  const INFINITY = `0xc0${'00'.repeat(47)}`;
  const BLOB = `0x${'00'.repeat(131_072)}`;
  const bid = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI, gasLimit: 200_000n };

  test.each<
    [string, (wallet: Wallet, to: string, value: bigint) => TransactionRequest | Promise<TransactionRequest>, string]
  >([
    ['of type 0', () => ({ type: 0, gasPrice: 50n * GWEI, gasLimit: 21_000n }), '0'],
    [
      'of type 1',
      (_, to) => ({ type: 1, gasPrice: 50n * GWEI, gasLimit: 60_000n, accessList: [{ address: to, storageKeys: [] }] }),
      '0',
    ],
    ['of type 2', () => ({ type: 2, ...bid }), '0'],
    [
      'of type 3',
      () => ({
        type: 3,
        ...bid,
        maxFeePerBlobGas: GWEI,
        blobs: [{ data: BLOB, commitment: INFINITY, proof: INFINITY }],
      }),
      '0',
    ],
    [
      'of type 4',
      async wallet => ({
        type: 4,
        ...bid,
        authorizationList: [await wallet.authorize({ address: wallet.address, nonce: 1, chainId: 31_337 })],
      }),
      '0',
    ],
    [
      'of type 4, by the code of its own sender',
      async (wallet, to, value) => ({
        type: 4,
        ...bid,
        to: wallet.address,
        value: 0n,
        data: `0x${word(to)}${word(value)}`,
        authorizationList: [
          await wallet.authorize({ address: await deploy(rpc, CONTRACTS.multisend), nonce: 1, chainId: 31_337 }),
        ],
      }),
      '0',
    ],
  ])('%s', async (_, fields, vout) => {
    const { uuid, to, amount } = await verified(world, { user: 'taylor-robbins' });
    const wallet = new Wallet(Wallet.createRandom().privateKey);
    await world.api.faucet('ETH', wallet.address, '1000');
    const value = toUnits(amount, 18);
    const rest = await fields(wallet, to, value);
    const transaction = Transaction.from({ chainId: 31_337, nonce: 0, to, value, ...rest } as never);
    const txHash = await rpc.call<string>('eth_sendRawTransaction', await wallet.signTransaction(transaction));
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash, vout });
    await until(async () => (await depositOf(world, txHash))?.status === 'CREDITED');
    expect(await depositOf(world, txHash)).toMatchObject({ amount, verificationUuid: uuid });
  });
});
