import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { natural } from '../../src/contract/persons.ts';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { openWallet, type Wallet } from '../support/chains/wallets.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import type { HostedTenant } from '../support/world/hosted-world.ts';
import { createTheftWorld, FROM, type Payee, report, verdictBecomes, verified } from '../support/world/theft-world.ts';

/** VASPs share the ledgers and the addresses of the robot: what one has paid, another one cannot take. */

const world = await forFile(createTheftWorld());

const inquiryOf = async ({ api }: HostedTenant, { uuid }: Payee) =>
  (await api.timers()).timers.filter(({ kind, key }) => kind === 'robot.deposit.inquire' && key === uuid);

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  let wallet: Wallet;
  let payment: Payee;
  let theft: Payee;
  let amount: string;
  beforeAll(async () => {
    wallet = await openWallet(symbol, world.urlFor(symbol, world.payer));
    await world.payer.api.faucet(symbol, wallet.address, '30');
  });
  afterAll(() => wallet.close());
  beforeEach(async () => {
    amount = world.nextAmount();
    [theft, payment] = [await verified(world.thief, symbol, amount), await verified(world.payer, symbol, amount)];
  });

  test('a payment is of the VASP whose key has sent it', async () => {
    await world.expectNoTheft(payment, theft, await wallet.pay(payment.to, amount));
  });

  test('the thief names it in another form, and before a block holds it', async () => {
    const { hash, send } = await wallet.prepare(payment.to, amount);
    await world.operator.setControl(symbol, 'hold', { on: true });
    const sent = send();
    await until(async () => world.isKnown(symbol, hash));
    await report(world.thief, theft, symbol === 'ETH' ? hash.toUpperCase().replace('0X', '0x') : hash.toLowerCase());
    await verdictBecomes(world.thief, theft, 'OF-ANOTHER-VASP');
    await world.operator.setControl(symbol, 'hold', { on: false });
    await sent;
    await report(world.payer, payment, hash);
    await verdictBecomes(world.payer, payment, 'CREDITED');
  });

  test('a payment of the faucet is of the VASP that has asked for it', async () => {
    await world.expectNoTheft(payment, theft, (await world.payer.api.faucet(symbol, payment.to, amount)).txHash);
  });

  test('the thief cannot name it in a status answer', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    world.thief.vasp.script('transactionStatus', theft.uuid, {
      body: { verificationUuid: theft.uuid, transactionStatus: 'CONFIRMED', txHash },
    });
    await world.thief.api.call('POST', '/vega/robot/v1.0/action/tx/inquiry', { verificationUuid: theft.uuid });
    await verdictBecomes(world.thief, theft, 'OF-ANOTHER-VASP');
    await report(world.payer, payment, txHash);
    await verdictBecomes(world.payer, payment, 'CREDITED');
  });

  test('only the payer is asked for the status of its payment, and sees it', async () => {
    await world.thief.api.advance('1m');
    const asked = await inquiryOf(world.thief, theft);
    const txHash = await wallet.pay(payment.to, amount);
    const seenBy = async ({ api }: HostedTenant) =>
      (await api.receivedPayments()).payments.find(d => d.txHash === txHash);
    await until(async () => (await seenBy(world.payer))?.status === 'CONFIRMED');
    expect(await seenBy(world.payer)).toMatchObject({ note: expect.stringContaining('1 verification fits') });
    expect(await seenBy(world.thief)).toBeUndefined();
    expect(await inquiryOf(world.thief, theft)).toEqual(asked);
    await report(world.payer, payment, txHash);
    await verdictBecomes(world.payer, payment, 'CREDITED');
  });

  test('sent once more by the thief, it stays with the payer', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    if (symbol === 'ETH') {
      const { result } = await world.eth(world.thief, 'eth_getRawTransactionByHash', txHash);
      await world.eth(world.thief, 'eth_sendRawTransaction', result);
    } else {
      const { result } = await world.xrp(world.thief, 'tx', { transaction: txHash, binary: true });
      await world.xrp(world.thief, 'submit', { tx_blob: result.tx });
    }
    await world.expectNoTheft(payment, theft, txHash);
  });

  test('an old payment that nobody has reported is not for others', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    await world.payer.api.advance('2h');
    await world.expectNoTheft(payment, theft, txHash);
  });

  test('a payment of the thief is no finding on the verification of another VASP', async () => {
    const { api } = world.payer;
    const { users, robot } = await api.info();
    const user = users.find(({ id }) => id === 'taylor-robbins')!;
    const denied = userRequest({ robotVaspId: robot.vaspId, user, symbol, amount, from: FROM[symbol] });
    denied.payload.ivms101.beneficiary.beneficiaryPersons = [natural('Somebody', 'Else')];
    const { verificationUuid } = await api.verifyUser(denied);
    await until(async () => (await api.verification(verificationUuid)).result === 'DENIED');
    await world.payer.api.call('POST', '/v1/verifications/error', {
      verificationUuid: payment.uuid,
      reason: 'UNDEFINED-ERROR',
    });
    const { txHash } = await world.thief.api.faucet(symbol, payment.to, amount);
    await report(world.thief, theft, txHash);
    await verdictBecomes(world.thief, theft, 'CREDITED');
    for (const uuid of [verificationUuid, payment.uuid]) {
      const [entry] = (await api.verifications({ search: uuid })).verifications;
      expect(entry?.findings, uuid).toEqual([]);
    }
  });

  test("what the operator sends is nobody's: who names it first is credited", async () => {
    const { txHash } = await world.operator.faucet(symbol, payment.to, amount);
    await report(world.thief, theft, txHash);
    await verdictBecomes(world.thief, theft, 'CREDITED');
    await report(world.payer, payment, txHash);
    await verdictBecomes(world.payer, payment, 'ALREADY-USED');
  });
});
