import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import type { TcpProxy } from '../support/chains/tcp-proxy.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL, startNode } from '../support/world/external-chains.ts';
import {
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

describe('D-31: low funds stand in attention and metrics, and /readyz does not wait for them', () => {
  const lowFunds = async (stage: TcpStage) =>
    (await stage.world.api.health()).attention.filter(({ what }) => what === 'low-funds').map(({ text }) => text);
  const spendable = async (stage: TcpStage, symbol: string, account: string) => {
    const text = await (await fetch(`${stage.world.url}/metrics`)).text();
    const found = new RegExp(`account_spendable{chain="${symbol}",account="${account}"} (\\S+)`, 'i').exec(text);
    return Number(found?.[1]);
  };

  test('ETH: the treasury, until it has enough', async () => {
    const stage = await createTroubledWorld(overTcp);
    onTestFinished(stage.close);
    await until(async () => (await readyz(stage)) === READY);
    const { treasury } = await stage.world.api.info();
    await until(async () => (await lowFunds(stage)).some(text => text.includes(treasury.ETH!)));
    expect(await spendable(stage, 'ETH', treasury.ETH!)).toBe(0);
    await stage.node.fund(treasury.ETH!, 10n ** 18n);
    await until(async () => (await lowFunds(stage)).length === 0);
    expect(await spendable(stage, 'ETH', treasury.ETH!)).toBe(1);
  });

  test('ETH: an account that lacks the amount itself gets no top-up', async () => {
    const stage = await createTroubledWorld(overTcp);
    onTestFinished(stage.close);
    const rpc = jsonRpc(stage.node.url, 30_000);
    onTestFinished(rpc.close);
    const { treasury } = await stage.world.api.info();
    await stage.node.fund(treasury.ETH!, 10n ** 18n);
    const owed = await payable(stage, { user: USER, symbol: 'ETH' });
    await rpc.call('anvil_setBalance', owed.from, '0x1');
    await withdraw(stage, owed);
    const waiting = async () => (await stage.world.api.health()).attention.map(({ text }) => text).join();
    await until(async () => (await waiting()).includes('low funds'));
    expect(await stage.onChain.ETH.sent(treasury.ETH!)).toBe(0);
  });

  test('XRP: nothing above the reserve, until there is', async () => {
    const stage = await createTroubledWorld(overTcp, {}, { robotDrops: 1_000_010n });
    onTestFinished(stage.close);
    const account = stage.world.user(USER).accounts.XRP.split(':')[0]!;
    expect((await stage.world.api.info()).treasury.XRP).toBe(account);
    await until(async () => (await readyz(stage)) === READY);
    await until(async () => (await lowFunds(stage)).some(text => text.includes(account)));
    await stage.ledger.fund(account, 1_000_000n);
    await until(async () => !(await lowFunds(stage)).some(text => text.includes(account)));
  });
});
