import { HDNodeWallet } from 'ethers';
import { afterEach, describe, expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import type { RobotVerification } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import {
  attentionOf,
  behindProxies,
  createTroubledWorld,
  nothingLeft,
  paidOnce,
  payable,
  paysOnce,
  reportsOf,
  sentDuring,
  statusOf,
  whileBlocksCome,
  withdraw,
} from '../support/world/troubled-world.ts';

const GWEI = 1_000_000_000n;
const stage = await forFile(createTroubledWorld(behindProxies, { ETH_CONFIRMATIONS: '3', ETH_STUCK_AFTER: '2s' }));
const rpc = await forFile(jsonRpc(stage.node.url, 30_000));
afterEach(() => stage.fronts.ETH.rule(undefined));

const USER = 'garrit-studio';

interface PoolTransaction {
  hash: string;
  nonce: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
}
/** The waiting transactions of one account. */
async function waiting({ from }: RobotVerification): Promise<PoolTransaction[]> {
  type Pool = Record<string, Record<string, PoolTransaction>>;
  const { pending } = await rpc.call<{ pending: Pool }>('txpool_content');
  const own = Object.entries(pending).find(([account]) => account.toLowerCase() === from.toLowerCase());
  return Object.values(own?.[1] ?? {});
}
async function oneWaiting(verification: RobotVerification, but?: string): Promise<PoolTransaction> {
  let found: PoolTransaction | undefined;
  await until(async () => {
    found = (await waiting(verification)).find(({ hash }) => hash !== but);
    return found !== undefined;
  });
  return found!;
}
const reaches = (verification: RobotVerification, status: string) =>
  until(async () => (await statusOf(stage, verification)) === status);
const events = async (uuid: string) => (await stage.world.api.timeline(uuid)).timeline.map(entry => entry.event);

/** Nothing gets into a block meanwhile. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  await stage.node.controls.hold(true);
  try {
    return await work();
  } finally {
    await stage.node.controls.hold(false);
  }
}

describe('SEND-3, Ethereum: exactly once, whatever becomes of the transaction', () => {
  test('a node that forgets its mempool gets the same bytes again', async () => {
    const verification = await payable(stage, { user: USER });
    const sent = await sentDuring(stage, verification, async () => {
      await whileHeld(async () => {
        await withdraw(stage, verification);
        const { hash } = await oneWaiting(verification);
        await stage.node.controls.drop(hash);
        expect((await oneWaiting(verification)).hash).toBe(hash);
      });
      await paidOnce(stage, verification);
    });
    expect(sent).toBe(1);
    await nothingLeft(stage, verification);
  });

  test('a reorganisation that removes it is shown, and it is sent again', async () => {
    const verification = await payable(stage, { user: USER });
    await paysOnce(stage, verification, async () => {
      await reaches(verification, 'WAIT-CONFIRM');
      await stage.node.controls.reorg(1);
      await until(async () => (await events(verification.uuid)).includes('reorged'));
    });
  });

  test('a reorganisation that moves it to another block changes nothing for anybody', async () => {
    const verification = await payable(stage, { user: USER });
    await paysOnce(stage, verification, async () => {
      await reaches(verification, 'WAIT-CONFIRM');
      await stage.node.controls.reorg(1, true);
    });
    expect(await reportsOf(stage, verification)).toHaveLength(1);
    await nothingLeft(stage, verification);
  });
});

describe('SEND-3, Ethereum: a transaction that is stuck', () => {
  test('is replaced by one of the same number, both fees up by 12 % or more; the winner is reported', async () => {
    const verification = await payable(stage, { user: USER });
    const [first, second] = await whileHeld(async () => {
      await withdraw(stage, verification);
      const stuck = await oneWaiting(verification);
      return [stuck, await oneWaiting(verification, stuck.hash)];
    });
    expect(second.nonce).toBe(first.nonce);
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect(BigInt(second[fee]) * 100n).toBeGreaterThanOrEqual(BigInt(first[fee]) * 112n);
    await paidOnce(stage, verification);
    const { txHash } = await stage.world.api.inquireTransaction(verification.uuid);
    expect(txHash).not.toBe(first.hash);
    expect(new Set(await reportsOf(stage, verification))).toEqual(new Set([txHash]));
    await nothingLeft(stage, verification);
  });

  test('may still win against its replacement: then it is the one that counts', async () => {
    const verification = await payable(stage, { user: USER });
    const first = await whileHeld(async () => {
      await withdraw(stage, verification);
      const stuck = await oneWaiting(verification);
      const bytes = await rpc.call<string>('eth_getRawTransactionByHash', stuck.hash);
      const second = await oneWaiting(verification, stuck.hash);
      stage.fronts.ETH.rule(({ method }) =>
        method === 'eth_sendRawTransaction' ? { status: 502, text: 'Bad Gateway' } : undefined,
      );
      for (const { hash } of [second, ...(await waiting(verification))])
        await stage.node.controls.drop(hash).catch(() => {});
      await rpc.call('eth_sendRawTransaction', bytes);
      return stuck.hash;
    });
    await paidOnce(stage, verification);
    expect(await stage.world.api.inquireTransaction(verification.uuid)).toMatchObject({ txHash: first });
    expect(new Set(await reportsOf(stage, verification))).toEqual(new Set([first]));
    await nothingLeft(stage, verification);
  });

  test('because of a fee spike is bid higher until it is paid', async () => {
    const verification = await payable(stage, { user: USER });
    const tooLow = await whileHeld(async () => {
      await withdraw(stage, verification);
      const { hash } = await oneWaiting(verification);
      await stage.node.controls.feeSpike(200n * GWEI);
      return hash;
    });
    await reaches(verification, 'WAIT-CONFIRM');
    await paidOnce(stage, verification);
    expect((await reportsOf(stage, verification)).at(-1)).not.toBe(tooLow);
    await stage.node.controls.mine(60);
  });

  test('a fee above the cap is not paid: it waits, and is paid once when the fees have fallen', async () => {
    const verification = await payable(stage, { user: USER });
    await stage.node.controls.feeSpike(900n * GWEI);
    await stage.node.controls.mine(1);
    await withdraw(stage, verification);
    await until(async () => (await attentionOf(stage)).includes('the cap is'));
    expect(await stage.onChain.ETH.balanceOf(verification.to)).toBe('0');
    await stage.node.controls.mine(60);
    await paidOnce(stage, verification);
  });

  test('whose number somebody else has used with the same key gets another number, and is paid once', async () => {
    const verification = await payable(stage, { user: USER });
    const own = HDNodeWallet.fromPhrase(EXTERNAL.mnemonic, '', "m/44'/60'/0'/0/2");
    const sent = await sentDuring(stage, verification, async () => {
      await whileHeld(async () => {
        await withdraw(stage, verification);
        const { nonce } = await oneWaiting(verification);
        const foreign = await own.signTransaction({
          to: own.address,
          nonce: Number(nonce),
          chainId: EXTERNAL.chainId,
          type: 2,
          gasLimit: 21_000,
          maxFeePerGas: 400n * GWEI,
          maxPriorityFeePerGas: 50n * GWEI,
        });
        await rpc.call('eth_sendRawTransaction', foreign);
      });
      await paidOnce(stage, verification);
    });
    expect(sent).toBe(2);
    await nothingLeft(stage, verification);
  });

  test('two at once on one wallet, the first one lost on its way: both are paid once', async () => {
    const [one, other] = [await payable(stage, { user: USER }), await payable(stage, { user: USER })];
    const lost = new Set<unknown>();
    const sent = await sentDuring(stage, one, async () => {
      stage.fronts.ETH.rule(({ method, params: [bytes] }) => {
        if (method !== 'eth_sendRawTransaction' || (lost.size > 0 && !lost.has(bytes))) return undefined;
        lost.add(bytes);
        return { body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'already known' } } };
      });
      await Promise.all([withdraw(stage, one), withdraw(stage, other)]);
      await Promise.all([reaches(one, 'PROCESSING'), reaches(other, 'PROCESSING')]);
      stage.fronts.ETH.rule(undefined);
      await Promise.all([paidOnce(stage, one), paidOnce(stage, other)]);
    });
    expect([lost.size, sent]).toEqual([1, 2]);
    await nothingLeft(stage, one);
  });
});

describe('RECV-3, Ethereum: what is not final is not credited', () => {
  async function seen(confirmations: number) {
    const verification = await verified(stage.world, { user: 'risk-low' });
    const wallet = await stage.world.wallet('ETH');
    const txHash = await wallet.pay(verification.to, verification.amount);
    await stage.world.api.reportTransaction(verification.uuid, txHash);
    await stage.node.controls.mine(confirmations);
    await until(async () => (await depositOf(stage.world, txHash))?.status === 'SEEN');
    return { ...verification, txHash };
  }

  test('a deposit that a reorganisation removes is shown as that, and never credited', async () => {
    const { txHash, to } = await seen(1);
    await stage.node.controls.reorg(2);
    await until(async () => (await depositOf(stage.world, txHash))?.status === 'REORGANISED');
    await stage.node.controls.mine(5);
    await stage.world.idle();
    expect(await depositOf(stage.world, txHash)).toMatchObject({ status: 'REORGANISED' });
    expect(await balanceAt(stage.world, 'ETH', to)).toBe('0');
  });

  test('a deposit that a reorganisation moves is credited once, in its new block', async () => {
    const { txHash, to, amount } = await seen(1);
    await stage.node.controls.reorg(2, true);
    await whileBlocksCome(
      stage,
      until(async () => (await depositOf(stage.world, txHash))?.status === 'CREDITED'),
    );
    await stage.world.idle();
    expect(await balanceAt(stage.world, 'ETH', to)).toBe(amount);
    const { payments: deposits } = await stage.world.api.receivedPayments();
    expect(deposits.filter(each => each.txHash === txHash)).toHaveLength(1);
  });
});
