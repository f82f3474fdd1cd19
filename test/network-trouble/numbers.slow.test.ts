import { Wallet as EthersWallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AccountSet, Client, ECDSA, type Payment, Wallet as XrplWallet } from 'xrpl';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import type { RpcRule } from '../support/chains/rpc-proxy.ts';
import { type RobotVerification, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import {
  attentionOf,
  behindProxies,
  confirmed,
  createTroubledWorld,
  type ProxiedWorld,
  paidOnce,
  sentDuring,
  statusOf,
  whileBlocksCome,
  withdraw,
} from '../support/world/troubled-world.ts';

/** SEND-3, D-47, D-49: every number of a wallet has its transaction, whoever has used it, and on both ledgers. */

let stage: ProxiedWorld;
let rpc: JsonRpc;
let client: Client;
beforeAll(async () => {
  stage = await createTroubledWorld(behindProxies, { ETH_CONFIRMATIONS: '3' });
  rpc = jsonRpc(stage.node.url, 30_000);
  client = new Client(stage.ledger.url!);
  await client.connect();
  await whileBlocksCome(stage, received(stage.world, { symbol: 'ETH', amount: '400' }));
  await received(stage.world, { symbol: 'XRP', amount: '400' });
});
afterEach(() => {
  stage.fronts.ETH.rule(undefined);
  stage.fronts.XRP.lose(undefined);
});
afterAll(async () => {
  await client.disconnect();
  await rpc.close();
  await stage.close();
});

const payable = (symbol: AssetSymbol, to?: string): Promise<RobotVerification> =>
  verifiedForRobot(stage.world, { symbol, ...(to === undefined ? {} : { to }) });

/** Another program pays from the account of the robot. Returns the hash. */
async function paidByAnother(to = freshAddress('ETH')): Promise<string> {
  const own = EthersWallet.fromPhrase(EXTERNAL.mnemonic);
  const count = await rpc.call<string>('eth_getTransactionCount', own.address, 'latest');
  const bid = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 21_000n };
  const { chainId } = EXTERNAL;
  const signed = await own.signTransaction({ type: 2, chainId, nonce: Number(count), ...bid, to, value: 1n });
  return rpc.call<string>('eth_sendRawTransaction', signed);
}
const xrplWalletOf = () =>
  XrplWallet.fromSeed(EXTERNAL.seed, { algorithm: EXTERNAL.seed.startsWith('sEd') ? ECDSA.ed25519 : ECDSA.secp256k1 });
async function xrpPaidByAnother(): Promise<void> {
  const own = xrplWalletOf();
  const payment = await client.autofill<Payment>({
    TransactionType: 'Payment',
    Account: own.classicAddress,
    Destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    Amount: '1',
  });
  await client.submit(own.sign(payment).tx_blob);
}

const DOWN = { status: 503, text: '' };
const error = (message: string) => ({ body: { jsonrpc: '2.0', id: 0, error: { code: -32000, message } } });

/** A node that has only the states of the last blocks. */
const prunes =
  (states: number): RpcRule =>
  async ({ method, params }) => {
    const at = Number(params[1]);
    if (method !== 'eth_getTransactionCount' || Number.isNaN(at)) return undefined;
    const head = Number(await rpc.call<string>('eth_blockNumber'));
    return at < head - states ? error('missing trie node') : undefined;
  };

describe('SEND-3, D-49: a number that a refused transaction leaves', () => {
  const REFUSALS: Record<AssetSymbol, () => void> = {
    ETH: () => {
      let met = 0;
      stage.fronts.ETH.rule(({ method }) =>
        method === 'eth_sendRawTransaction' && met++ === 0 ? error('transaction gas limit too high') : undefined,
      );
    },
    XRP: () => {
      let met = 0;
      stage.fronts.XRP.lose(command =>
        command === 'submit' && met++ === 0
          ? { engine_result: 'temMALFORMED', engine_result_message: 'Malformed transaction.' }
          : false,
      );
    },
  };
  test.each(Object.keys(REFUSALS) as AssetSymbol[])('%s: is filled, and nothing waits for it', async symbol => {
    const [refused, other, later] = [await payable(symbol), await payable(symbol), await payable(symbol)];
    REFUSALS[symbol]();
    const sent = await sentDuring(stage, refused, async () => {
      await withdraw(stage, refused);
      await withdraw(stage, other);
      await until(async () => {
        await stage.node.controls.mine(1);
        const statuses = await Promise.all([refused, other].map(each => statusOf(stage, each)));
        return statuses.includes('CANCELED');
      });
      await withdraw(stage, later);
      const statuses = await Promise.all([refused, other].map(each => statusOf(stage, each)));
      for (const [i, each] of [refused, other].entries())
        if (statuses[i] === 'CANCELED') expect(await stage.onChain[symbol].balanceOf(each.to)).toBe('0');
        else await paidOnce(stage, each);
      await paidOnce(stage, later);
    });
    expect(sent).toBe(3);
  });
});

describe('D-47: another program uses the number of a payment while the robot is off for 200 blocks', () => {
  test.each([
    ['keeps all states', 1_000_000],
    ['keeps the states of 100 blocks', 100],
  ])('a node that %s: it is signed with a new number, and paid once', async (_, states) => {
    const verification = await payable('ETH');
    let foreign: string | undefined;
    stage.fronts.ETH.rule(async ({ method }) => {
      if (method !== 'eth_sendRawTransaction' && foreign === undefined) return undefined;
      foreign ??= await paidByAnother();
      return DOWN;
    });
    await withdraw(stage, verification);
    await until(() => foreign !== undefined);
    await stage.node.controls.mine(200);
    stage.fronts.ETH.rule(prunes(states));
    await paidOnce(stage, verification);
    expect((await stage.world.api.health()).attention.filter(isHeld)).toEqual([]);
  });
});

const isHeld = ({ what }: { what: string }) => what === 'payment-unexplained';
const heldTexts = async () => (await stage.world.api.health()).attention.filter(isHeld);

describe('D-47: a number that the database does not know', () => {
  test.each([
    ['keeps all states', 1_000_000],
    ['keeps the states of 100 blocks', 100],
  ])('a node that %s, 300 blocks ago: the payment is found and holds the account', async (_, states) => {
    const hash = await paidByAnother();
    await stage.node.controls.mine(300);
    stage.fronts.ETH.rule(prunes(states));
    const verification = await payable('ETH');
    const sent = await sentDuring(stage, verification, async () => {
      await withdraw(stage, verification);
      await until(async () => (await heldTexts()).length > 0);
    });
    expect(sent).toBe(0);
    expect((await heldTexts())[0]!.text).toContain(hash);
    const { held } = await stage.world.api.resumeChain('ETH');
    expect(held).toMatchObject([{ name: hash }]);
    expect(await statusOf(stage, verification)).toBe('PENDING');
    await stage.world.api.resumeChain('ETH', { accept: [hash] });
    await paidOnce(stage, verification);
  });

  test('a payment that no block shows: the numbers are named, and only the operator lets go of them', async () => {
    const hash = await paidByAnother();
    await stage.node.controls.mine(3);
    stage.fronts.ETH.rule(async ({ method, params }, answered) => {
      if (method !== 'eth_getBlockByNumber' || params[1] !== true) return undefined;
      const { result } = (await answered()) as { result: { transactions: { hash: string }[] } };
      const transactions = result.transactions.filter(each => each.hash !== hash);
      return { body: { jsonrpc: '2.0', id: 0, result: { ...result, gasUsed: '0x0', transactions } } };
    });
    const verification = await payable('ETH');
    await withdraw(stage, verification);
    await until(async () => (await heldTexts()).length > 0);
    const { held } = await stage.world.api.resumeChain('ETH');
    expect(held).toMatchObject([{ name: expect.stringMatching(/^0x[0-9a-f]{40}\/(\d+)-\1$/), to: null }]);
    expect(await attentionOf(stage)).toContain(`--accept ${held[0]!.name}`);
    // Also while the robot searches again.
    for (let look = 0; look < 100; look++)
      expect((await stage.world.api.resumeChain('ETH')).held, `look ${look}`).toEqual(held);
    expect(await statusOf(stage, verification)).toBe('PENDING');
    await stage.world.api.resumeChain('ETH', { accept: [held[0]!.name] });
    await paidOnce(stage, verification);
  });

  test('XRP: the payment holds the account', async () => {
    await xrpPaidByAnother();
    const verification = await payable('XRP');
    await withdraw(stage, verification);
    await until(async () => (await heldTexts()).length > 0);
    const { held } = await stage.world.api.resumeChain('XRP');
    expect(held).toMatchObject([{ to: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', amount: '0.000001' }]);
    await stage.world.api.resumeChain('XRP', { accept: held.map(({ name }) => name) });
    await paidOnce(stage, verification);
  });
});

/** The first submission is lost, and another program uses its number. */
function takenByAnother(): () => boolean {
  let isTaken = false;
  stage.fronts.XRP.lose(command => {
    if (command !== 'submit' || isTaken) return false;
    isTaken = true;
    void xrpPaidByAnother();
    return true;
  });
  return () => isTaken;
}

test('XRP: another program uses the number of a payment: it is signed with a new number, and paid once', async () => {
  const verification = await payable('XRP');
  takenByAnother();
  const sent = await sentDuring(stage, verification, async () => {
    await withdraw(stage, verification);
    await paidOnce(stage, verification);
  });
  expect(sent).toBe(2);
});

test('D-32: another program uses the number, and the payee then requires a tag: CANCELED, and the next one is paid', async () => {
  const payee = XrplWallet.generate();
  await stage.ledger.fund(payee.classicAddress, 50_000_000n);
  const verification = await payable('XRP', payee.classicAddress);
  const isTaken = takenByAnother();
  const requiring = await client.autofill<AccountSet>({
    TransactionType: 'AccountSet',
    Account: payee.classicAddress,
    SetFlag: 1,
  });
  await withdraw(stage, verification);
  await until(isTaken);
  await client.submit(payee.sign(requiring).tx_blob);
  await until(async () => (await statusOf(stage, verification)) === 'CANCELED');
  await until(() => stage.world.vasp.callbacks(verification.uuid).some(isErrorReport));
  const next = await payable('XRP');
  await withdraw(stage, next);
  await paidOnce(stage, next);
});
const isErrorReport = ({ callbackType }: { callbackType: string }) => callbackType === 'ERROR_REPORT';

test('D-31: what stands in a block is not subtracted from the money again', async () => {
  const user = 'garrit-studio';
  await whileBlocksCome(stage, received(stage.world, { user, amount: '10' }));
  const [first, second] = [
    await verifiedForRobot(stage.world, { user, amount: '6' }),
    await verifiedForRobot(stage.world, { user, amount: '3.9' }),
  ];
  await withdraw(stage, first);
  await until(async () => (await statusOf(stage, first)) === 'WAIT-CONFIRM');
  await withdraw(stage, second);
  await until(async () => (await statusOf(stage, second)) === 'WAIT-CONFIRM');
  expect(await attentionOf(stage)).not.toContain('waits');
  await confirmed(stage, second);
});
