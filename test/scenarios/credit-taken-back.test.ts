import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { CONTRACTS, deploy, sendTransaction, word } from '../support/chains/contracts.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** RECV-3: a reorganisation deeper than the confirmations removes what is credited. */

let world: World;
let rpc: JsonRpc;
beforeAll(async () => {
  // No payout is ever sent: every fee is above the cap.
  world = await createWorld({ clock: movingClock, file: true, env: { ETH_MAX_FEE_GWEI: '1' } });
  rpc = jsonRpc(`${world.url}/devnet/ethereum`, 30_000);
});
afterAll(async () => {
  await rpc.close();
  await world.close();
});

let verification: Verified;
let txHash: string;
let raw: string;
beforeEach(async () => {
  verification = await verified(world, { user: 'garrit-studio' });
  const wallet = await world.wallet('ETH');
  await wallet.pay(freshAddress('ETH'), '0.001');
  await turn('mine', { blocks: 5 });
});

const balance = () => balanceAt(world, 'ETH', verification.to);
const statusOf = async () => (await depositOf(world, txHash))?.status;
const attention = async (what: string) =>
  (await world.api.health()).attention.filter(item => item.what === what).map(({ text }) => text);
const turn = (control: string, body: object) => world.api.call('POST', `/sandbox/v1/chains/ETH/${control}`, body);
const becomes = (status: string) =>
  until(async () => {
    await world.idle();
    return (await statusOf()) === status;
  });

/** Credited, then in no block any more. */
async function creditedAndRemoved(pay: () => Promise<string>, meanwhile = async () => {}) {
  txHash = await pay();
  raw = await rpc.call<string>('eth_getRawTransactionByHash', txHash);
  await world.api.reportTransaction(verification.uuid, txHash);
  await becomes('CREDITED');
  await meanwhile();
  await turn('mine', { blocks: 2 });
  await world.idle();
  await turn('reorg', { depth: 4 });
  await becomes('TAKEN-BACK');
}

async function expectCreditedAgain(before: string) {
  await rpc.call('eth_sendRawTransaction', raw);
  await becomes('CREDITED');
  expect(await balance()).toBe(before);
  expect(await depositOf(world, txHash)).toMatchObject({ verificationUuid: verification.uuid });
  expect(await attention('credit-taken-back')).toEqual([]);
}

test.skipIf(BY_URL)('the credit is taken back and shown; mined again, it is credited once', async () => {
  await creditedAndRemoved(() => paid(world, verification));
  expect(await balance()).toBe('0');
  expect(await attention('credit-taken-back')).toEqual([expect.stringContaining(txHash)]);
  const { timeline } = await world.api.timeline(verification.uuid);
  expect(JSON.stringify(timeline)).toContain('credit-taken-back');
  await expectCreditedAgain(verification.amount);
  await turn('mine', { blocks: 3 });
  await world.idle();
  expect(await balance()).toBe(verification.amount);
});

test.skipIf(BY_URL)('taken back, another transaction is reported instead: that one is credited', async () => {
  const before = await balance();
  await creditedAndRemoved(() => paid(world, verification));
  await (await world.wallet('ETH')).pay(freshAddress('ETH'), '0.001');
  const other = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, other);
  await until(async () => {
    await world.idle();
    return (await depositOf(world, other))?.status === 'CREDITED';
  });
  expect(await balance()).not.toBe(before);
  expect(await statusOf()).toBe('TAKEN-BACK');
  // Nothing waits for the removed one any more.
  expect(await attention('credit-taken-back')).toEqual([]);
});

test.skipIf(BY_URL)('a payout out of a contract, over a restart', async () => {
  const before = await balance();
  await creditedAndRemoved(async () => {
    const forwarder = await deploy(rpc, CONTRACTS.forwarder);
    await turn('mine', { blocks: 5 });
    const { transactionHash } = await sendTransaction(rpc, {
      to: forwarder,
      value: BigInt(Math.round(Number(verification.amount) * 1e6)) * 10n ** 12n,
      data: `0x${word(verification.to)}`,
    });
    return transactionHash;
  });
  expect(await balance()).toBe(before);
  await world.restart();
  await rpc.call('eth_sendRawTransaction', raw);
  await becomes('CREDITED');
  expect(await balance()).not.toBe(before);
});

test.skipIf(BY_URL)('a reserved payout makes the balance negative, and waits', async () => {
  const all = toUnits(await balance(), 18) + toUnits(verification.amount, 18);
  await creditedAndRemoved(
    () => paid(world, verification),
    async () => {
      const amount = formatUnits(all, 18);
      const { uuid } = await verifiedForRobot(world, { user: 'garrit-studio', amount });
      await world.api.robotWithdraw(uuid);
    },
  );
  expect(await balance()).toBe(`-${verification.amount}`);
  await until(async () => (await attention('transfer-waiting')).join().includes('the balance is negative'));
});
