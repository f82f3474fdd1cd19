import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { behindProxies, createTroubledWorld, payable, paysOnce, statusOf } from '../support/world/troubled-world.ts';

const stage = await forFile(createTroubledWorld(behindProxies));

/** The server hides a transaction so often before it shows it. */
const DENIALS = 12;

describe('SEND-2: a server that does not know what it has itself put into the ledger', () => {
  test('ETH: nothing is paid a second time, and it is CONFIRMED when the node knows it again', async () => {
    const verification = await payable(stage, { symbol: 'ETH' });
    let denials = 0;
    stage.fronts.ETH.rule(({ method }) => {
      if (!['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(method)) return undefined;
      denials += 1;
      return { body: { jsonrpc: '2.0', id: 0, result: null } };
    });
    await paysOnce(stage, verification, async () => {
      await until(() => denials >= DENIALS);
      expect(await statusOf(stage, verification)).toBe('PROCESSING');
      stage.fronts.ETH.rule(undefined);
    });
  });

  test('XRP: nothing is paid a second time, and it is CONFIRMED when the server knows it again', async () => {
    const verification = await payable(stage, { symbol: 'XRP' });
    let denials = 0;
    stage.fronts.XRP.rule((command, answer) => {
      if (command !== 'tx') return answer;
      denials += 1;
      return { id: answer.id, type: 'response', status: 'error', error: 'txnNotFound', searched_all: false };
    });
    await paysOnce(stage, verification, async () => {
      await until(() => denials >= DENIALS);
      expect(await statusOf(stage, verification)).toBe('PROCESSING');
      stage.fronts.XRP.rule(undefined);
    });
  });
});
