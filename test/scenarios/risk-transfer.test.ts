import { describe, expect, onTestFinished, test } from 'vitest';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { freshAddress, ledgerOf } from '../support/chains/on-chain.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { assess, results } from '../support/requests/risk.ts';
import { createChainlessWorld, toRobot, verifiedBy } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** D-42: monitoring of a transaction looks at its ledger. */

const NO_PAYMENT = 'no block holds the reported transaction, or it does not pay the verified address';
const UNREACHABLE = 'the ledger of the reported transaction cannot be reached';

const at = scratchDatabase();
const world = await forFile(createWorld());

const kytResults = (uuid: string) =>
  results(world, uuid, 'PROVIDER_A_KYT_RESULT').map(each => each.riskAssessment.providerAKYT);
const monitor = async (uuid: string) => {
  expect((await assess(world.api, 'kyt', { verificationUuid: uuid })).status).toBe(200);
};
const other = (symbol: AssetSymbol) => (symbol === 'ETH' ? 'XRP' : 'ETH');

async function expectRegistered(uuid: string): Promise<void> {
  await world.advance('2h');
  expect(kytResults(uuid)).toEqual([]);
  const [entry, ...more] = (await world.api.assessments({ verificationUuid: uuid })).assessments;
  expect([entry?.status, more]).toEqual(['REGISTERED', []]);
  const waiting = (await world.api.timers()).timers.filter(({ key }) => key === entry?.requestId);
  expect(waiting.map(({ why }) => why)).toEqual([NO_PAYMENT]);
}

describe.each(['ETH', 'XRP'] as const)('%s', symbol => {
  /** What is reported in the place of the hash of the right payment. */
  const WRONG: Record<string, (verification: Verified) => Promise<string>> = {
    'of no transaction': async () => (symbol === 'ETH' ? `0x${'5a'.repeat(32)}` : '5A'.repeat(32)),
    'that is no hash': async () => 'paid',
    'of a payment to a stranger': verification =>
      paid(world, { ...verification, amount: '20', to: freshAddress(symbol) }),
    'of a payment to another user': verification =>
      paid(world, { ...verification, to: world.user('garrit-studio').accounts[symbol] }),
    'of a payment on the other ledger': () =>
      paid(world, { symbol: other(symbol), amount: '20', to: freshAddress(other(symbol)) }),
    ...(symbol === 'ETH'
      ? { 'without its 0x': async verification => (await paid(world, verification)).slice(2) }
      : { 'of a payment without the tag': async ({ to, ...rest }) => paid(world, { ...rest, to: to.split(':')[0]! }) }),
    ...(BY_URL
      ? {}
      : {
          'of a transaction that has failed': async ({ to, amount }) =>
            (await world.api.faucet(symbol, to, amount, { fails: true })).txHash,
        }),
  };

  test.each(Object.keys(WRONG))('a hash %s: the assessment stays REGISTERED', async name => {
    const verification = await verified(world, { symbol });
    await world.api.reportTransaction(verification.uuid, await WRONG[name]!(verification));
    await monitor(verification.uuid);
    await expectRegistered(verification.uuid);
  });

  test('a hash in the other case is the same transaction', async () => {
    const verification = await verified(world, { symbol });
    const txHash = await paid(world, verification);
    const written = symbol === 'ETH' ? `0x${txHash.slice(2).toUpperCase()}` : txHash.toLowerCase();
    await world.api.reportTransaction(verification.uuid, written);
    await monitor(verification.uuid);
    await world.advance('2s');
    expect(kytResults(verification.uuid)).toMatchObject([
      {
        status: 'PROCESSED',
        transferRef: `${written}:${verification.to}`,
        timestamp: await ledgerOf(world, symbol).timeOf(txHash),
      },
    ]);
  });

  test('a transaction that is sent later: REGISTERED, then PROCESSED with the time of its block', async () => {
    const verification = await verified(world, { symbol });
    const payment = await (await world.wallet(symbol)).prepare(verification.to, verification.amount);
    await world.api.reportTransaction(verification.uuid, payment.hash);
    await monitor(verification.uuid);
    await world.advance('10s');
    expect(kytResults(verification.uuid)).toEqual([]);
    await payment.send();
    await world.advance('10s');
    expect(kytResults(verification.uuid)).toMatchObject([
      { status: 'PROCESSED', timestamp: await ledgerOf(world, symbol).timeOf(payment.hash) },
    ]);
  });
});

test('a chain that cannot be reached: the assessment stays REGISTERED, and no provider has failed', async () => {
  const chainless = await createChainlessWorld(at('unreachable.sqlite'));
  onTestFinished(chainless.close);
  const { api } = chainless;
  const verificationUuid = await verifiedBy(chainless, toRobot(chainless));
  await api.reportTransaction(verificationUuid, `0x${'5a'.repeat(32)}`);
  expect((await assess(api, 'kyt', { verificationUuid })).status).toBe(200);
  await api.advance('10s');
  const { assessments } = await api.assessments({ verificationUuid });
  expect(assessments).toMatchObject([{ status: 'REGISTERED', failures: 0, lastError: null }]);
  expect((await api.timers()).timers).toContainEqual(
    expect.objectContaining({ kind: 'enclave.risk.collect', why: UNREACHABLE }),
  );
});
