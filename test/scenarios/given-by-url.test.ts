import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { freshAddress, ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL, startChainProcesses } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A part of `WORLD=url`: a node and a ledger as processes of their own, with their own ids and keys. */
const chains = await startChainProcesses();
const world = await forFile(createWorld({ chains, clock: movingClock, file: true }));

test('what a tester is told are the given networks, and no faucet', async () => {
  const { mode, chains } = await world.api.info();
  expect(mode).toBe('testnet');
  expect(chains).toMatchObject([
    { symbol: 'ETH', id: EXTERNAL.chainId, embedded: false },
    { symbol: 'XRP', id: EXTERNAL.networkId, embedded: false },
  ]);
  const refused = world.api.faucet('ETH', world.user('taylor-robbins').accounts.ETH, '1');
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'EMBEDDED-ONLY' });
});

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('both tests, with a restart between them: received, credited, paid back once, reported', async () => {
    const amount = await received(world, { symbol });
    await world.restart();
    const verification = await verifiedForRobot(world, { symbol, amount });
    const { uuid, to, from } = verification;
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
    expect(await balanceAt(world, symbol, from)).toBe('0');
    const { txHash } = await world.api.inquireTransaction(uuid);
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toMatchObject({ txHash });
  });

  test('a deposit in one call is paid by a user who holds the amount', async () => {
    const amount = await received(world, { symbol, user: 'garrit-studio' });
    const more = await world.api.sendTransfer({ symbol, amount: '9000', to: freshAddress(symbol) });
    expect(more.steps.map(({ step, done }) => `${step} ${done}`)).toEqual(['VERIFY true', 'FUND false']);
    expect(more.steps[1]!.text).toMatch(/^The robot holds \S+ \w+ for you at \S+\. Verify a payment of \S+ \w+ to/);
    const { steps, txHash, verificationUuid } = await world.api.sendTransfer({
      symbol,
      amount,
      to: freshAddress(symbol),
    });
    expect(steps.map(({ step, done }) => `${step} ${done}`)).toEqual(
      ['VERIFY', 'FUND', 'PAY', 'REPORT'].map(step => `${step} true`),
    );
    const [transfer] = (await world.api.transfers({ verificationUuid: verificationUuid! })).transfers;
    expect(transfer).toMatchObject({ userId: 'garrit-studio', amount, reportedTxHash: txHash });
  });
});

test('a reorganisation of 100 blocks during a restart takes the credit back', async () => {
  const rpc = jsonRpc(chains.ETH.url, 30_000);
  const verification = await verified(world, { user: 'garrit-studio' });
  await rpc.call('anvil_mine', '0x5');
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, txHash);
  const becomes = (status: string) => until(async () => (await depositOf(world, txHash))?.status === status);
  await becomes('CREDITED');
  await rpc.call('anvil_mine', '0x62');
  await world.idle();
  await world.restart(() => rpc.call('anvil_reorg', 100, []));
  await becomes('TAKEN-BACK');
  expect(await balanceAt(world, 'ETH', verification.to)).toBe('0');
  await rpc.close();
});
