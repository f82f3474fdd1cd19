import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, type SubmittableTransaction, Wallet, xrpToDrops } from 'xrpl';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { createWorld, type World } from '../support/world/world.ts';

interface Turned {
  symbol: string;
  knob: string;
  head: { height: number; hash: string } | null;
}
type Refusal = { code: string; message: string };

let world: World;
beforeAll(async () => {
  world = await createWorld({ clock: movingClock });
});
afterAll(() => world?.close());

const call = <T>(symbol: string, knob: string, body?: object, at = world) =>
  at.api.call<T>('POST', `/sandbox/v1/chains/${symbol}/${knob}`, body);

async function turn(symbol: AssetSymbol, knob: string, body?: object, at = world): Promise<Turned> {
  const answer = await call<Turned>(symbol, knob, body, at);
  expect(answer).toMatchObject({ status: 200, body: { symbol, knob } });
  return answer.body;
}

/** The robot reads on: what is paid now is credited. */
async function expectRobotReads(symbol: AssetSymbol): Promise<void> {
  const verification = await verified(world, { symbol });
  const before = Number(await balanceAt(world, symbol, verification.to));
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, txHash);
  await until(async () => {
    await world.idle();
    return Number(await balanceAt(world, symbol, verification.to)) > before;
  });
  expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED', amount: verification.amount });
}

/** The robot pays: once, and what it pays arrives. */
async function expectRobotPays(symbol: AssetSymbol): Promise<void> {
  const amount = await received(world, { symbol, amount: '2.5' });
  const { uuid } = await verifiedForRobot(world, { symbol, amount });
  await world.api.letRobotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
}

describe('refusals', () => {
  test('an unknown knob is 404 NOT-FOUND and names those that there are', async () => {
    for (const [symbol, knobs] of [
      ['ETH', ['mine', 'reorg', 'drop', 'hold', 'fee-spike']],
      ['XRP', ['close', 'hold', 'drop', 'delay', 'reorder', 'load-factor', 'forget-history', 'start-over']],
    ] as const)
      for (const knob of ['explode', 'toString', symbol === 'ETH' ? 'close' : 'mine']) {
        const { status, body } = await call<Refusal>(symbol, knob, {});
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT-FOUND' });
        for (const known of knobs) expect(body.message).toContain(known);
      }
  });

  test('an unknown symbol is refused as everywhere', async () => {
    expect(await call('BTC', 'mine', {})).toMatchObject({ status: 400, body: { code: 'UNKNOWN-SYMBOL' } });
  });

  test.each([
    ['ETH', 'mine', { blocks: 0 }, 'blocks'],
    ['ETH', 'mine', { blocks: '3' }, 'blocks'],
    ['ETH', 'reorg', { depth: 129 }, 'depth'],
    ['ETH', 'reorg', { depth: 1, moved: 'yes' }, 'moved'],
    ['ETH', 'drop', { txHash: '0x12' }, 'txHash'],
    ['ETH', 'hold', { on: 1 }, 'on'],
    ['ETH', 'fee-spike', { baseFee: '1.5' }, 'baseFee'],
    ['XRP', 'delay', { closes: 0 }, 'closes'],
    ['XRP', 'load-factor', { factor: 1.5 }, 'factor'],
    ['XRP', 'forget-history', { upTo: -1 }, 'upTo'],
  ])('%s/%s %j is BAD-REQUEST and names %s', async (symbol, knob, body, named) => {
    const refused = await call<Refusal>(symbol, knob, body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD-REQUEST' } });
    expect(refused.body.message).toContain(`\`${named}\``);
  });

  test('what the chain itself refuses is CHAIN-REFUSED, and the message says why', async () => {
    const refused = await call<Refusal>('ETH', 'drop', { txHash: `0x${'ab'.repeat(32)}` });
    expect(refused).toMatchObject({ status: 400, body: { code: 'CHAIN-REFUSED' } });
    expect(refused.body.message).toContain('`txHash` was refused by the chain: no transaction');
  });

  test.each([
    ['ETH', 'reorg', 'depth', 'MISSING-DEPTH'],
    ['ETH', 'drop', 'txHash', 'MISSING-TX-HASH'],
    ['XRP', 'hold', 'on', 'MISSING-ON'],
    ['XRP', 'delay', 'closes', 'MISSING-CLOSES'],
  ])('%s/%s without its parameter names it: %s', async (symbol, knob, named, code) => {
    for (const body of [undefined, {}, { [named]: null }]) {
      const refused = await call<Refusal>(symbol, knob, body);
      expect(refused).toMatchObject({ status: 400, body: { code } });
      expect(refused.body.message).toContain(`\`${named}\``);
    }
  });

  test('a body that is no JSON object is BAD-REQUEST, also where no body is needed', async () => {
    const { status } = await world.api.call('POST', '/sandbox/v1/chains/XRP/close', 'now!');
    expect(status).toBe(400);
  });

  test('a chain that is given by URL has no knobs, the embedded one beside it has', async () => {
    const env = {
      XRPL_URL: `${world.url.replace(/^http/, 'ws')}/devnet/xrpl`,
      XRPL_NETWORK_ID: String(world.info.chains.find(({ symbol }) => symbol === 'XRP')?.id),
      XRPL_SEED: EXTERNAL.seed,
    };
    const other = await createWorld({ env });
    try {
      const refused = await call('XRP', 'close', {}, other);
      expect(refused).toMatchObject({ status: 409, body: { code: 'EMBEDDED-ONLY' } });
      await turn('ETH', 'mine', undefined, other);
    } finally {
      await other.close();
    }
  });
});

describe('ETH', () => {
  const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${world.url}/devnet/ethereum`, { method: 'POST', headers, body });
    return ((await answer.json()) as { result: T }).result;
  };
  const receiptOf = (hash: string) =>
    rpc<{ blockHash: string; blockNumber: string } | null>('eth_getTransactionReceipt', hash);
  const block = (which: string) =>
    rpc<{ hash: string; baseFeePerGas: string; number: string }>('eth_getBlockByNumber', which, false);

  test('mine: so many blocks more; one without a body', async () => {
    const before = Number((await block('latest')).number);
    expect((await turn('ETH', 'mine', { blocks: 7 })).head?.height).toBe(before + 7);
    expect((await turn('ETH', 'mine')).head).toEqual({
      height: before + 8,
      hash: (await block('latest')).hash,
    });
    await expectRobotReads('ETH');
  });

  test('hold: transactions wait for a block until it is let go', async () => {
    await turn('ETH', 'hold', { on: true });
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    expect(await receiptOf(txHash)).toBeNull();
    await turn('ETH', 'hold', { on: false });
    expect(await receiptOf(txHash)).not.toBeNull();
    await expectRobotPays('ETH');
  });

  test('drop: a transaction that waits is forgotten, and never mined', async () => {
    await turn('ETH', 'hold', { on: true });
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    await turn('ETH', 'drop', { txHash });
    await turn('ETH', 'hold', { on: false });
    await turn('ETH', 'mine', { blocks: 2 });
    expect(await rpc('eth_getTransactionByHash', txHash)).toBeNull();
    expect(await rpc('eth_getBalance', to, 'latest')).toBe('0x0');
    await expectRobotReads('ETH');
  });

  test('reorg: the last blocks are others, and what stood in them is gone', async () => {
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    const before = await block('latest');
    const { head } = await turn('ETH', 'reorg', { depth: 2 });
    expect(head?.height).toBe(Number(before.number));
    expect(head?.hash).not.toBe(before.hash);
    expect(await receiptOf(txHash)).toBeNull();
    await expectRobotReads('ETH');
  });

  test('reorg with moved: the same transactions stand in other blocks', async () => {
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    const before = (await receiptOf(txHash))!;
    await turn('ETH', 'reorg', { depth: 2, moved: true });
    const after = (await receiptOf(txHash))!;
    expect(after.blockHash).not.toBe(before.blockHash);
    expect(await rpc('eth_getBalance', to, 'latest')).toBe(`0x${(10n ** 18n).toString(16)}`);
    await expectRobotPays('ETH');
  });

  test('fee-spike: the next block has this base fee, and the robot pays it', async () => {
    const baseFee = 90_000_000_000n;
    await turn('ETH', 'fee-spike', { baseFee: String(baseFee) });
    await turn('ETH', 'mine');
    expect(BigInt((await block('latest')).baseFeePerGas)).toBe(baseFee);
    await expectRobotPays('ETH');
    await turn('ETH', 'mine', { blocks: 60 });
    expect(BigInt((await block('latest')).baseFeePerGas)).toBeLessThan(baseFee / 10n);
  });
});

describe('XRP', () => {
  let client: Client;
  let alice: Wallet;
  beforeAll(async () => {
    client = await ledgerOf(world);
    alice = Wallet.generate();
    await world.api.faucet('XRP', alice.classicAddress, '1000');
  });
  afterAll(() => client?.disconnect());

  const signed = async (from: Wallet, to: string, xrp: number, more: object = {}) => {
    const payment = {
      TransactionType: 'Payment',
      Account: from.classicAddress,
      Destination: to,
      Amount: xrpToDrops(xrp),
    };
    const filled = await client.autofill({ ...payment, ...more } as SubmittableTransaction);
    return from.sign(filled);
  };
  const submit = async (from: Wallet, to: string, xrp: number, more: object = {}) => {
    const { tx_blob, hash } = await signed(from, to, xrp, more);
    const { result } = await client.submit(tx_blob);
    return { hash, tx_blob, says: result.engine_result };
  };
  /** In a validated ledger: which, and with what result. */
  const placed = async (transaction: string) => {
    const answer = await client.request({ command: 'tx', transaction }).catch(() => undefined);
    const { result } = answer ?? {};
    if (!result?.validated) return undefined;
    return {
      ledger: result.ledger_index,
      result: (result.meta as { TransactionResult: string }).TransactionResult,
    };
  };
  const close = async () => (await turn('XRP', 'close')).head!.height;
  const to = () => Wallet.generate().classicAddress;

  /** Nothing closes but what the work closes itself. */
  async function held(work: () => Promise<void>): Promise<void> {
    await turn('XRP', 'hold', { on: true });
    try {
      await work();
    } finally {
      await turn('XRP', 'hold', { on: false });
    }
  }

  test('hold and close: ledgers close when they are told to, until it is let go', async () => {
    await held(async () => {
      const { head } = await turn('XRP', 'hold', { on: true });
      const payment = await submit(alice, to(), 2);
      expect(payment.says).toBe('tesSUCCESS');
      expect(await placed(payment.hash)).toBeUndefined();
      expect(await close()).toBe(head!.height + 1);
      expect(await placed(payment.hash)).toEqual({ ledger: head!.height + 1, result: 'tesSUCCESS' });
      expect(await close()).toBe(head!.height + 2);
    });
    const before = await client.getLedgerIndex();
    await until(async () => (await client.getLedgerIndex()) > before);
    await expectRobotReads('XRP');
  });

  test('drop: the next submission is answered as usual and lost; the same bytes arrive later', async () => {
    await held(async () => {
      await turn('XRP', 'drop');
      const lost = await submit(alice, to(), 2);
      expect(lost.says).toBe('tesSUCCESS');
      await close();
      await close();
      expect(await placed(lost.hash)).toBeUndefined();
      expect((await client.submit(lost.tx_blob)).result.engine_result).toBe('tesSUCCESS');
      await close();
      expect(await placed(lost.hash)).toMatchObject({ result: 'tesSUCCESS' });
    });
  });

  test('drop: a payment of the robot that gets lost is paid once all the same', async () => {
    const amount = await received(world, { symbol: 'XRP', amount: '2.5' });
    const destination = `${to()}:9`;
    const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount, to: destination });
    await turn('XRP', 'drop');
    await world.api.letRobotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await client.getXrpBalance(destination.split(':')[0]!)).toBe(2.5);
  });

  test('delay: the next submission comes so many ledgers late', async () => {
    await held(async () => {
      await turn('XRP', 'delay', { closes: 2 });
      const late = await submit(alice, to(), 2);
      expect(late.says).toBe('tesSUCCESS');
      const first = await close();
      expect(await placed(late.hash)).toBeUndefined();
      await close();
      expect(await placed(late.hash)).toBeUndefined();
      await close();
      expect(await placed(late.hash)).toEqual({ ledger: first + 2, result: 'tesSUCCESS' });
    });
    await expectRobotPays('XRP');
  });

  test('reorder: the last account to submit comes first, so that a provisional success fails', async () => {
    const poor = Wallet.generate();
    await world.api.faucet('XRP', poor.classicAddress, '10');
    await held(async () => {
      const income = await submit(alice, poor.classicAddress, 50);
      const spent = await submit(poor, to(), 40);
      expect([income.says, spent.says]).toEqual(['tesSUCCESS', 'tesSUCCESS']);
      await turn('XRP', 'reorder');
      await close();
      expect(await placed(income.hash)).toMatchObject({ result: 'tesSUCCESS' });
      expect(await placed(spent.hash)).toMatchObject({ result: 'tecUNFUNDED_PAYMENT' });
    });
    await expectRobotReads('XRP');
  });

  test('load-factor: the base fee is too little (telINSUF_FEE_P), and the robot pays what is asked', async () => {
    await turn('XRP', 'load-factor', { factor: 50 });
    expect((await submit(alice, to(), 2, { Fee: '499' })).says).toBe('telINSUF_FEE_P');
    expect((await submit(alice, to(), 2, { Fee: '500' })).says).toBe('tesSUCCESS');
    const { result } = await client.request({ command: 'server_info' });
    expect(result.info.load_factor).toBe(50);
    await expectRobotPays('XRP');
    await turn('XRP', 'load-factor', { factor: 1 });
    expect((await submit(alice, to(), 2, { Fee: '10' })).says).toBe('tesSUCCESS');
  });

  test('forget-history: older ledgers are gone, and the robot goes on', async () => {
    const old = await submit(alice, to(), 2);
    await until(async () => (await placed(old.hash)) !== undefined);
    const { ledger } = (await placed(old.hash))!;
    await close();
    await turn('XRP', 'forget-history', { upTo: ledger });
    const { result } = await client.request({ command: 'server_info' });
    expect(Number.parseInt(result.info.complete_ledgers, 10)).toBe(ledger! + 1);
    expect(await placed(old.hash)).toBeUndefined();
    const past = { command: 'account_tx', account: alice.classicAddress, ledger_index_min: ledger } as const;
    await expect(client.request({ ...past, ledger_index_max: -1 })).rejects.toThrow(
      'Ledger index malformed.',
    );
    await expectRobotReads('XRP');
  });
});

async function ledgerOf({ url }: World): Promise<Client> {
  const client = new Client(`${url.replace(/^http/, 'ws')}/devnet/xrpl`);
  await client.connect();
  return client;
}
