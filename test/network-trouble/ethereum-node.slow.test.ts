import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { RpcAnswer, RpcRule } from '../support/chains/rpc-proxy.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import {
  behindProxies,
  createTroubledWorld,
  LIMIT_MS,
  paidOnce,
  payable,
  paysOnce,
  readyz,
  withdraw,
} from '../support/world/troubled-world.ts';

const stage = await forFile(createTroubledWorld(behindProxies));
afterEach(() => stage.fronts.ETH.rule(undefined));

const USER = 'garrit-studio';
type Answered = Parameters<RpcRule>[1];

/** The first `times` broadcasts meet the fault; everything else passes. Answers how many met it. */
function onBroadcast(times: number, fault: (answered: Answered) => RpcAnswer | Promise<RpcAnswer>): () => number {
  let met = 0;
  stage.fronts.ETH.rule((call, answered) => {
    if (call.method !== 'eth_sendRawTransaction' || met === times) return undefined;
    met += 1;
    return fault(answered);
  });
  return () => met;
}

const refusal = (code: number, message: string): RpcAnswer => ({
  body: { jsonrpc: '2.0', id: 1, error: { code, message } },
});

test('REF-2.4: while bids are refused as too low, a status query names no hash', async () => {
  const verification = await payable(stage, { user: USER, symbol: 'ETH' });
  const met = onBroadcast(1_000, () => refusal(-32000, 'transaction underpriced'));
  await withdraw(stage, verification);
  await until(async () => met() > 3);
  const { uuid } = verification;
  const pending = { verificationUuid: uuid, transactionStatus: 'PENDING' };
  expect(await stage.world.api.inquireTransaction(uuid)).toEqual(pending);
  expect(await stage.world.api.robotWithdraw(uuid)).toEqual({ ...pending, txHash: null });
  stage.fronts.ETH.rule(undefined);
  await paidOnce(stage, verification);
  const { txHash } = await stage.world.api.inquireTransaction(uuid);
  expect(await stage.onChain.ETH.transaction(txHash!)).toBeDefined();
});

describe('SEND-2, Ethereum: whatever the broadcast is answered, it is paid exactly once', () => {
  test.each<[string, (answered: Answered) => RpcAnswer | Promise<RpcAnswer>]>([
    ['it arrived and the connection was dropped', () => ({ cut: true })],
    [
      'it arrived and the answer comes after the time limit',
      async answered => {
        const body = await answered();
        await delay(LIMIT_MS * 2);
        return { body };
      },
    ],
    [
      'it arrives only after the time limit',
      async answered => {
        await delay(LIMIT_MS * 2);
        return { body: await answered() };
      },
    ],
    ['HTTP 429, not arrived', () => ({ status: 429, text: 'Too Many Requests' })],
    ['HTTP 429 as JSON, not arrived', () => ({ status: 429, ...refusal(-32005, 'rate limit exceeded') })],
    ['HTTP 502, not arrived', () => ({ status: 502, text: '<html>Bad Gateway</html>' })],
    [
      'HTTP 502, arrived',
      async answered => {
        await answered();
        return { status: 502, text: '<html>Bad Gateway</html>' };
      },
    ],
    ['“already known”, but the node has not got it', () => refusal(-32000, 'already known')],
    ['“nonce too low” (-32000), but the node has not got it', () => refusal(-32000, 'nonce too low')],
    ['“OldNonce” (-32010), but the node has not got it', () => refusal(-32010, 'OldNonce, Current nonce: 5')],
    [
      '“already known” and “nonce too low”, because it has arrived twice',
      async answered => {
        await answered();
        return { body: await answered() };
      },
    ],
    ['words that nobody knows', () => refusal(-32099, 'the moon is in the wrong house')],
    ['“insufficient funds”, which is not so', () => refusal(-32000, 'insufficient funds for gas * price + value')],
    ['“txpool is full”', () => refusal(-32000, 'txpool is full')],
    ['“transaction underpriced”', () => refusal(-32000, 'transaction underpriced')],
  ])('%s', async (_, fault) => {
    const verification = await payable(stage, { user: USER });
    const met = onBroadcast(2, fault);
    await paysOnce(stage, verification);
    expect(met()).toBeGreaterThan(0);
  });

  test('bytes that no node takes: never paid, told as an error, and the money is free again', async () => {
    const verification = await payable(stage, { user: 'risk-low' });
    onBroadcast(1, () => refusal(-32000, 'invalid sender'));
    await withdraw(stage, verification);
    const { uuid, from, to, amount } = verification;
    const { vasp, api } = stage.world;
    await until(() => vasp.callbacks(uuid).some(each => each.callbackType === 'ERROR_REPORT'));
    expect(await api.robotWithdraw(uuid)).toMatchObject({ transactionStatus: 'CANCELED' });
    expect(await balanceAt(stage.world, 'ETH', from)).toBe(amount);
    expect(await stage.onChain.ETH.balanceOf(to)).toBe('0');
  });
});

describe('SEND-2, RECV-1, Ethereum: while the node is away or slow nothing is lost', () => {
  test.each<[string, RpcRule]>([
    ['every question is HTTP 429', () => ({ status: 429, text: 'Too Many Requests' })],
    ['every question is HTTP 502', () => ({ status: 502, text: 'Bad Gateway' })],
    [
      'every answer comes after the time limit',
      async (_, answered) => {
        const body = await answered();
        await delay(LIMIT_MS * 2);
        return { body };
      },
    ],
    ['every connection is dropped after the question arrived', () => ({ cut: true })],
  ])('%s: paid once when it is over', async (_, rule) => {
    const verification = await payable(stage, { user: USER });
    stage.fronts.ETH.rule(rule);
    await withdraw(stage, verification);
    await until(async () => (await readyz(stage)).includes('ETH: '));
    expect(await stage.onChain.ETH.balanceOf(verification.to)).toBe('0');
    stage.fronts.ETH.rule(undefined);
    await paidOnce(stage, verification);
  });
});
