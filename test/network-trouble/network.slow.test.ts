import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import type { TcpProxy } from '../support/chains/tcp-proxy.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL, startNode } from '../support/world/external-chains.ts';
import {
  attentionOf,
  createTroubledWorld,
  overTcp,
  paidOnce,
  payable,
  readyz,
  startLedger,
  type TroubledWorld,
  withdraw,
} from '../support/world/troubled-world.ts';

type TcpStage = TroubledWorld & { fronts: Record<AssetSymbol, TcpProxy> };
const USER = 'garrit-studio';
const OTHER = { ETH: 'XRP', XRP: 'ETH' } as const;
const READY = '{"status":"READY"}';
const says = (stage: TroubledWorld, text: string) => until(async () => (await readyz(stage)).includes(text));

describe.each(['ETH', 'XRP'] as const)('RECV-5, SEND-2, %s given by URL', symbol => {
  let stage: TcpStage;
  let other: { url: string; close(): Promise<unknown> };
  beforeAll(async () => {
    stage = await createTroubledWorld(overTcp);
    if (symbol === 'ETH') {
      const node = await startNode(EXTERNAL.chainId + 1);
      other = { url: node.url, close: node.close };
    } else {
      const ledger = await startLedger(EXTERNAL.networkId + 1);
      other = { url: ledger.url!, close: ledger.close };
    }
  });
  afterAll(async () => {
    await stage.close();
    await other.close();
  });
  const own = () => (symbol === 'ETH' ? stage.node.url : stage.ledger.url!);

  test.each(['silent', 'down'] as const)(
    '%s: said in /readyz, what is to be paid waits and is paid once; the other chain goes on meanwhile',
    async state => {
      const here = await payable(stage, { user: USER, symbol });
      const there = await payable(stage, { user: USER, symbol: OTHER[symbol] });
      stage.fronts[symbol].become(state);
      await withdraw(stage, here);
      await withdraw(stage, there);
      await says(stage, `"${symbol}: `);
      await paidOnce(stage, there);
      expect(await stage.onChain[symbol].balanceOf(here.to)).toBe('0');
      stage.fronts[symbol].become('up');
      stage.fronts[symbol].cut();
      await paidOnce(stage, here);
      await until(async () => (await readyz(stage)) === READY);
    },
  );

  test('another network behind the same address after a reconnect: said, and nothing is sent there', async () => {
    const verification = await payable(stage, { user: USER, symbol });
    stage.fronts[symbol].retarget(other.url);
    stage.fronts[symbol].cut();
    await says(stage, symbol === 'ETH' ? 'chain id is' : 'network id is');
    await withdraw(stage, verification);
    await says(stage, symbol === 'ETH' ? 'chain id is' : 'network id is');
    expect(await stage.onChain[symbol].balanceOf(verification.to)).toBe('0');
    stage.fronts[symbol].retarget(own());
    stage.fronts[symbol].cut();
    await paidOnce(stage, verification);
  });
});

describe('RECV-5: a testnet that started over', () => {
  const RESET = { ETH: 'another first block', XRP: 'another' } as const;
  test.each(['ETH', 'XRP'] as const)('%s: said, crediting stops, everything else runs', async symbol => {
    const stage: TcpStage = await createTroubledWorld(overTcp);
    onTestFinished(stage.close);
    const verification = await verified(stage.world, { symbol, user: USER });
    const { uuid, to, amount } = verification;
    await payable(stage, { user: USER, symbol });
    const before = await balanceAt(stage.world, symbol, to);
    if (symbol === 'XRP') stage.ledger.controls.startOver();
    else {
      const fresh = await startNode();
      onTestFinished(fresh.close);
      stage.fronts.ETH.retarget(fresh.url);
      stage.fronts.ETH.cut();
      await fresh.fund(to, BigInt(10 ** 18));
    }
    await says(stage, RESET[symbol]);
    if (symbol === 'XRP') {
      const [account = '', tag] = to.split(':');
      const paid = await stage.ledger.fund(account, BigInt(Math.round(Number(amount) * 1e6)), Number(tag));
      await stage.world.api.reportTransaction(uuid, paid.hash);
      await stage.world.idle();
      expect(await depositOf(stage.world, paid.hash)).toBeUndefined();
    }
    await stage.world.advance('2h');
    expect(await balanceAt(stage.world, symbol, to)).toBe(before);
    const there = await payable(stage, { user: 'risk-low', symbol: OTHER[symbol] });
    await withdraw(stage, there);
    await paidOnce(stage, there);
    expect((await fetch(`${stage.world.url}/healthcheck`)).status).toBe(200);
  });
});

test('D-31: an account that lacks the amount itself gets no top-up, and low funds leave /readyz as it is', async () => {
  const stage = await createTroubledWorld(overTcp);
  onTestFinished(stage.close);
  const rpc = jsonRpc(stage.node.url, 30_000);
  onTestFinished(rpc.close);
  const treasury = stage.world.info.treasury.ETH!;
  const spendable = async () => {
    const text = await (await fetch(`${stage.world.url}/metrics`)).text();
    return Number(new RegExp(`account_spendable{chain="ETH",account="${treasury}"} (\\S+)`, 'i').exec(text)?.[1]);
  };
  await until(async () => (await readyz(stage)) === READY);
  await until(async () => (await attentionOf(stage)).includes(treasury));
  expect(await spendable()).toBe(0);
  await stage.node.fund(treasury, 10n ** 18n);
  await until(async () => (await spendable()) === 1);
  const owed = await payable(stage, { user: USER, symbol: 'ETH' });
  await rpc.call('anvil_setBalance', owed.from, '0x1');
  await withdraw(stage, owed);
  await until(async () => (await attentionOf(stage)).includes('waits: low funds'));
  expect(await stage.onChain.ETH.sent(treasury)).toBe(0);
});
