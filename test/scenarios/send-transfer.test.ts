import { beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { TransferResponse } from '../../src/sandbox/transfers.ts';
import { createRobot } from '../../src/testing.ts';
import { answer, overHttp } from '../support/mcp/agent.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());
beforeAll(async () => {
  await robot.api.switchReferenceVasp(true);
}, 60_000);

const stepsOf = ({ steps }: TransferResponse) => steps.map(({ step, done }) => `${step} ${done}`);
const ALL = ['VERIFY true', 'FUND true', 'PAY true', 'REPORT true'];

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('a robot that was never paid verifies, gets money, pays and reports in one call', async () => {
    const { customers } = await robot.api.referenceVasp();
    const to = customers[0]!.accounts[symbol]!;
    const sent = await robot.api.sendTransfer({ symbol, amount: '5' });
    expect(TransferResponse.parse(sent)).toEqual(sent);
    expect(stepsOf(sent)).toEqual(ALL);
    const { verificationUuid, txHash, done } = sent;
    expect(done).toBe(true);
    const [transfer] = (await robot.api.transfers({ verificationUuid: verificationUuid! })).transfers;
    expect(transfer).toMatchObject({ to, amount: '5', reportedTxHash: txHash, userId: 'taylor-robbins' });
    const { callbacks } = await robot.api.callbacks({ verificationUuid: verificationUuid! });
    expect(callbacks.map(({ callbackType, data }) => [callbackType, data.txHash])).toContainEqual([
      'TX_REPORT',
      txHash,
    ]);
    // The VASP is told of its own verification only.
    expect((await robot.api.verifications()).verifications.map(each => each.role)).not.toContain('originating');
    const { balances } = await robot.api.balances();
    expect(balances.find(each => each.symbol === symbol)).toMatchObject({ credited: '5', value: '0' });
  });

  test('up to FUND the robot verifies and gets money, and pays when it is told to', async () => {
    const sent = await robot.api.sendTransfer({ symbol, amount: '3', upTo: 'FUND' });
    expect(stepsOf(sent)).toEqual(ALL.slice(0, 2));
    expect(sent).toMatchObject({ done: true, txHash: null });
    const verificationUuid = sent.verificationUuid!;
    expect((await robot.api.transfers({ verificationUuid })).transfers).toEqual([]);
    await robot.api.robotWithdraw(verificationUuid);
    expect((await robot.api.transfers({ verificationUuid })).transfers).toMatchObject([{ amount: '3' }]);
  });

  test('two at once are both paid', async () => {
    const order = { symbol, amount: '2' };
    const both = await Promise.all([robot.api.sendTransfer(order), robot.api.sendTransfer(order)]);
    expect(both.map(stepsOf)).toEqual([ALL, ALL]);
    expect(new Set(both.map(({ txHash }) => txHash)).size).toBe(2);
  });

  test('what does not fit the asset is refused before the VASP is asked', async () => {
    const before = (await robot.api.verifications()).verifications.length;
    const decimals = { symbol, amount: `0.${'0'.repeat(18)}1` };
    await expect(robot.api.sendTransfer(decimals)).rejects.toThrow(/400 BAD-REQUEST: `amount` should have/);
    const other = { symbol, amount: '1', to: 'no address' };
    await expect(robot.api.sendTransfer(other)).rejects.toThrow(/400 UNKNOWN-ADDRESS/);
    const nobody = { symbol, amount: '1', user: 'nobody' };
    await expect(robot.api.sendTransfer(nobody)).rejects.toThrow(/404 /);
    expect((await robot.api.verifications()).verifications).toHaveLength(before);
  });
});

test('a VASP that does not verify is not paid, and the step says where to look', async () => {
  const customer = { lastName: 'Nobody', firstName: 'Here' };
  const sent = await robot.api.sendTransfer({ symbol: 'ETH', amount: '5', customer });
  expect(stepsOf(sent)).toEqual(['VERIFY false']);
  expect(sent).toMatchObject({ done: false, txHash: null });
  expect(sent.steps[0]!.text).toMatch(
    /^The result is DENIED \/ MISMATCHED-NAME.*asked about Nobody, Here at 0x.* let the robot name your customer\./,
  );
});

test('an address that the VASP does not know: the step says how to name another', async () => {
  const sent = await robot.api.sendTransfer({ symbol: 'ETH', amount: '5', to: `0x${'d'.repeat(40)}` });
  expect(stepsOf(sent)).toEqual(['VERIFY false']);
  expect(sent.steps[0]!.text).toMatch(/UNKNOWN-ADDRESS.*an address of your customer\./);
});

test('a callback endpoint that fails: the step REPORT says how to send it again', async () => {
  await robot.api.addFault({ target: 'callback.TX_REPORT', mode: 'status', status: 503 });
  const sent = await robot.api.sendTransfer({ symbol: 'ETH', amount: '5' });
  await robot.api.removeFaults();
  expect(stepsOf(sent)).toEqual([...ALL.slice(0, 3), 'REPORT false']);
  const { text, calls } = sent.steps[3]!;
  expect(text).toMatch(/503\. Return 200.*then send the callback again\.$/);
  expect(calls).toEqual([{ method: 'POST', path: expect.stringMatching(/^\/sandbox\/v1\/callbacks\/\d+\/replay$/) }]);
});

test('a step that fails names the tool that goes on', async () => {
  const agent = await overHttp(robot.url);
  await answer(agent, 'order_fault', { target: 'callback.TX_REPORT', mode: 'drop' });
  const { steps } = await answer(agent, 'send_deposit', { symbol: 'ETH', amount: '5' });
  const { id } = (await robot.api.callbacks({ order: 'newest', limit: 1 })).callbacks[0]!;
  expect(steps.at(-1)).toMatchObject({
    text: expect.stringMatching(/LOST.* Send the callback that a fault lost\.$/),
    tools: [{ tool: 'replay_callback', arguments: { id } }],
  });
  await robot.api.removeFaults();
});

test('a payment of the sandbox to the robot is credited without a verification', async () => {
  const { txHash } = await robot.api.sendTransfer({ symbol: 'ETH', amount: '0.25' });
  expect(txHash).not.toBeNull();
  const [deposit] = (await robot.api.receivedPayments()).payments;
  expect(deposit).toMatchObject({ status: 'CREDITED', amount: '0.25', verificationUuid: null });
  const { attention } = await robot.api.health();
  expect(attention.filter(({ what }) => what.startsWith('deposit'))).toEqual([]);
});

test('a reset in the middle ends the call with a step that says so', async () => {
  await robot.api.reset();
  const sending = robot.api.sendTransfer({ symbol: 'ETH', amount: '1' });
  await until(async () => (await robot.api.transfers({})).transfers.length > 0);
  await robot.api.reset();
  const { steps, done } = await sending;
  // The payment may have been quicker.
  expect(done ? 'reset' : steps.at(-1)?.text).toMatch(/reset|not found/i);
});
