import { afterEach, describe, expect, test } from 'vitest';
import { TRANSACTION_STATUSES } from '../../src/contract/verification.ts';
import { ask } from '../support/chains/ethereum-nodes.ts';
import type { RpcAnswer, RpcRule } from '../support/chains/rpc-proxy.ts';
import type { RobotVerification } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import {
  behindProxies,
  createTroubledWorld,
  paidOnce,
  payable,
  paysOnce,
  statusOf,
  withdraw,
} from '../support/world/troubled-world.ts';

/** What a node says of a payment is not the end of it: nodes are wrong, and blocks are replaced. */

const stage = await forFile(createTroubledWorld(behindProxies));
afterEach(() => stage.fronts.ETH.rule(undefined));

type Answered = Parameters<RpcRule>[1];
interface Receipt {
  status: string;
  to: string;
}

/** Receipts of payments to this account say that they failed, while `isLying`. Answers how many did. */
function lieAbout(
  to: string,
  isLying: () => boolean | Promise<boolean>,
  others: RpcRule = () => undefined,
): () => number {
  let lies = 0;
  const receipt = async (answered: Answered): Promise<RpcAnswer | undefined> => {
    const { result } = (await answered()) as { result: Receipt | null };
    if (result?.to?.toLowerCase() !== to.toLowerCase() || !(await isLying())) return undefined;
    lies += 1;
    return { body: { jsonrpc: '2.0', id: 0, result: { ...result, status: '0x0' } } };
  };
  stage.fronts.ETH.rule((call, answered) =>
    call.method === 'eth_getTransactionReceipt' ? receipt(answered) : others(call, answered),
  );
  return () => lies;
}

const refusal = (code: number, message: string): RpcAnswer => ({
  body: { jsonrpc: '2.0', id: 0, error: { code, message } },
});
const doesNotTrace: RpcRule = ({ method }) =>
  method.startsWith('debug_') ? refusal(-32601, 'the method does not exist') : undefined;
/** Nor has it the state of any block but the newest. */
const knowsOnlyTheHead: RpcRule = ({ method, params }, answered) =>
  /^eth_(getBalance|call)$/.test(method) && params[1] !== 'latest' && params[1] !== 'pending'
    ? refusal(-32000, 'missing trie node')
    : doesNotTrace({ id: 0, method, params }, answered);

const callbacksOf = ({ uuid }: RobotVerification) => stage.world.vasp.callbacks(uuid);
const arrowsOf = async ({ uuid }: RobotVerification): Promise<string[]> =>
  (await stage.world.api.timeline(uuid)).timeline
    .filter(({ what, from, to }) => what === 'transfer' && from !== null && from !== to)
    .map(({ from, to }) => `${from} ${to}`);

async function isNeverCanceled(verification: RobotVerification, lies: () => number): Promise<void> {
  await paysOnce(stage, verification, async () => {
    await until(() => lies() > 0);
  });
  expect((await arrowsOf(verification)).join()).not.toContain('CANCELED');
  expect(callbacksOf(verification).map(({ callbackType }) => callbackType)).not.toContain('ERROR_REPORT');
}

describe('SEND-2: a node says of a payment that it failed, and it has paid', () => {
  test('at the first look, and nothing else contradicts it: the second one finds that it is CONFIRMED', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    const isFirstLook = async () =>
      !(await arrowsOf(verification)).some(arrow => /(WAIT-CONFIRM|CANCELED)$/.test(arrow));
    await isNeverCanceled(verification, lieAbout(verification.to, isFirstLook, knowsOnlyTheHead));
  });

  test.each<[string, RpcRule]>([
    ['its trace says that it succeeded', () => undefined],
    ['it does not trace, and the balance of the sender says that it paid', doesNotTrace],
  ])('as often as it is asked, and %s: the robot waits until the node is right', async (_, others) => {
    const verification = await payable(stage, { symbol: 'ETH' });
    const lies = lieAbout(verification.to, () => true, others);
    await isNeverCanceled(verification, () => {
      if (lies() < 10) return 0;
      stage.fronts.ETH.rule(undefined);
      return lies();
    });
  });
});

/** The reader gets no block; everything else does. */
const withoutReader: RpcRule = ({ method, params }) =>
  method === 'eth_getBlockByNumber' && params[1] === true ? { status: 503, text: 'busy' } : undefined;

describe('SEND-5: a block that the reader has not read is no end of a payment', () => {
  test('it is replaced before it is read, and the payment is gone: sent again, and paid once', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    stage.fronts.ETH.rule(withoutReader);
    await withdraw(stage, verification);
    await until(async () => (await stage.onChain.ETH.balanceOf(verification.to)) === verification.amount);
    await until(async () => (await statusOf(stage, verification)) !== 'PROCESSING');
    // The robot may send it again at once.
    await stage.node.controls.hold(true);
    await stage.node.controls.reorg(1);
    expect(await stage.onChain.ETH.balanceOf(verification.to)).toBe('0');
    await stage.node.controls.hold(false);
    stage.fronts.ETH.rule(undefined);
    await paidOnce(stage, verification);
  });

  test('it failed there, and pays in a block that replaces it: CONFIRMED, and never an error', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    await stage.node.controls.hold(true);
    await withdraw(stage, verification);
    await until(async () => (await statusOf(stage, verification)) === 'PROCESSING');
    stage.fronts.ETH.rule(withoutReader);
    await until(async () => (await stage.node.controls.failPayment(verification.to)) !== undefined);
    await until(async () => (await statusOf(stage, verification)) !== 'PROCESSING');
    await stage.node.controls.reorg(1);
    await ask(stage.node.url, 'anvil_setCode', verification.to, '0x');
    await stage.node.controls.hold(false);
    stage.fronts.ETH.rule(undefined);
    await paidOnce(stage, verification);
    expect((await arrowsOf(verification)).join()).not.toContain('CANCELED');
    expect(callbacksOf(verification).map(({ callbackType }) => callbackType)).not.toContain('ERROR_REPORT');
  });

  test('it failed there, and its replacement holds it and pays: reported at once, and no failure is shown', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    const { api } = stage.world;
    const whyOf = async () => (await api.transfers({ verificationUuid: verification.uuid })).transfers[0]?.why;
    const isReported = () => callbacksOf(verification).some(({ callbackType }) => callbackType === 'TX_REPORT');
    await stage.node.controls.mine(1);
    await stage.node.controls.hold(true);
    await withdraw(stage, verification);
    await until(async () => (await statusOf(stage, verification)) === 'PROCESSING');
    stage.fronts.ETH.rule(withoutReader);
    await until(async () => (await stage.node.controls.failPayment(verification.to)) !== undefined);
    await until(async () => (await statusOf(stage, verification)) === 'WAIT-CONFIRM');
    expect(await whyOf()).toContain('revert');
    expect(isReported()).toBe(false);
    await stage.node.controls.reorg(2, true);
    await until(isReported);
    expect(await whyOf()).toBe(TRANSACTION_STATUSES['WAIT-CONFIRM']);
    await stage.node.controls.hold(false);
    stage.fronts.ETH.rule(undefined);
    await paidOnce(stage, verification);
    expect((await arrowsOf(verification)).join()).not.toContain('CANCELED');
  });

  test('REF-4.6.11: it has failed in a block that was read: CANCELED, and the amount is free', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    await stage.node.controls.hold(true);
    await withdraw(stage, verification);
    await until(async () => (await stage.node.controls.failPayment(verification.to)) !== undefined);
    await stage.node.controls.hold(false);
    await until(async () => (await statusOf(stage, verification)) === 'CANCELED');
    await until(() => callbacksOf(verification).some(({ callbackType }) => callbackType === 'ERROR_REPORT'));
    expect(await arrowsOf(verification)).toEqual([
      'PENDING PROCESSING',
      'PROCESSING WAIT-CONFIRM',
      'WAIT-CONFIRM CANCELED',
    ]);
  });
});
