import { afterEach, describe, expect, test } from 'vitest';
import { type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { behindProxies, createTroubledWorld } from '../support/world/troubled-world.ts';

/** D-37: the XRP Ledger by URL as rippled 3.4 answers: payments are inner transactions of a Batch. */

type Message = Record<string, unknown>;
interface Placed extends Message {
  tx_json: Message;
}

const stage = await forFile(createTroubledWorld(behindProxies));
afterEach(() => stage.fronts.XRP.rule(undefined));

const OUTER = 'BA7C'.repeat(16);
const STRANGER = { Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', Sequence: 999_999 };

/** The payment as an inner transaction: its Batch has paid the fee and is signed. */
function asInner({ tx_json, ...rest }: Placed): Placed {
  const { TxnSignature: _signature, ...json } = tx_json;
  const meta = { ...(rest.meta as Message), ParentBatchID: OUTER };
  return { ...rest, meta, tx_json: { ...json, Fee: '0', Flags: 0x40000000, SigningPubKey: '' } };
}

function batchOf({ tx_json, ...place }: Placed): Placed {
  const { Account, Sequence, Destination, DeliverMax } = tx_json;
  const RawTransactions = [
    STRANGER,
    { TransactionType: 'Payment', Account, Sequence, Destination, Amount: DeliverMax, Fee: '0' },
  ].map(RawTransaction => ({ RawTransaction }));
  return {
    ...place,
    hash: OUTER,
    meta: { TransactionResult: 'tesSUCCESS', TransactionIndex: 0, AffectedNodes: [] },
    tx_json: {
      TransactionType: 'Batch',
      Account,
      Sequence: Number(Sequence) - 1,
      Fee: '40',
      Flags: 0x00010000,
      RawTransactions,
    },
  };
}

/** Pays, and shows the payment as a transaction inside a Batch. Returns its own hash. */
async function paidInBatch(to: string, amount: string): Promise<string> {
  const wallet = await stage.world.wallet('XRP');
  const payment = await wallet.prepare(to, amount);
  let inner: Placed | undefined;
  stage.fronts.XRP.rule((command, answer, request) => {
    const result = answer.result as (Message & { transactions?: Placed[] }) | undefined;
    if (command === 'account_tx' && result?.transactions) {
      const transactions = result.transactions.map(each => (each.hash === payment.hash ? asInner(each) : each));
      return { ...answer, result: { ...result, transactions } };
    }
    if (command !== 'tx') return answer;
    if (request.transaction === payment.hash && answer.status === 'success')
      return { ...answer, result: asInner(answer.result as Placed) };
    if (request.transaction !== OUTER || !inner) return answer;
    return { id: answer.id, type: 'response', status: 'success', result: batchOf(inner) };
  });
  await payment.send();
  await until(async () => {
    const found = await onLedger(payment.hash);
    if (found.validated === true) inner = found;
    return inner !== undefined;
  });
  return payment.hash;
}

/** As the ledger itself shows it. */
async function onLedger(transaction: string): Promise<Placed> {
  const body = JSON.stringify({ method: 'tx', params: [{ transaction, api_version: 2 }] });
  const response = await fetch(stage.ledger.url!.replace(/^ws/, 'http'), { method: 'POST', body });
  return ((await response.json()) as { result: Placed }).result;
}

async function reported({ uuid }: Verified, txHash: string, verdict: string) {
  const { world } = stage;
  const body = { verificationUuid: uuid, txHash };
  expect((await world.api.call('POST', '/v1/verifications/tx', body)).body).toEqual({ result: true });
  const reportOf = async () => (await world.api.verifications({ search: uuid })).verifications[0]?.report;
  await until(async () => (await reportOf())?.verdict === verdict);
  return reportOf();
}

describe('D-37: the outer transaction of a Batch is reported', () => {
  test('BATCH names the inner transaction that has paid; reported, that one is credited', async () => {
    const verification = await verified(stage.world, { symbol: 'XRP' });
    const inner = await paidInBatch(verification.to, verification.amount);
    const payment = `${verification.amount} XRP → ${verification.to}`;
    expect(await reported(verification, OUTER, 'BATCH')).toMatchObject({
      expected: `the hash of the transaction that has paid ${payment}`,
      got: `the hash of a Batch; its inner transaction ${inner} has paid it`,
    });
    expect(await reported(verification, inner, 'CREDITED')).toMatchObject({ got: payment });
  });

  test('a Batch whose payment has another amount is WRONG-AMOUNT', async () => {
    const verification = await verified(stage.world, { symbol: 'XRP', amount: '3' });
    await paidInBatch(verification.to, '2.5');
    expect(await reported(verification, OUTER, 'WRONG-AMOUNT')).toMatchObject({ got: `2.5 XRP → ${verification.to}` });
  });

  test('a Batch that pays nobody here is WRONG-RECIPIENT', async () => {
    const verification = await verified(stage.world, { symbol: 'XRP' });
    await paidInBatch('rBhvmNW2cZZPLpDedj6bcCv7hin6UKfTsj', '25');
    expect(await reported(verification, OUTER, 'WRONG-RECIPIENT')).toMatchObject({ got: 'no transfer of value' });
  });

  test('a Batch that was in a ledger before VERIFIED is PAID-BEFORE-VERIFIED', async () => {
    const amount = stage.world.amount();
    const to = stage.world.user('taylor-robbins').accounts.XRP;
    await paidInBatch(to, amount);
    const verification = await verified(stage.world, { symbol: 'XRP', amount });
    await reported(verification, OUTER, 'PAID-BEFORE-VERIFIED');
  });
});
