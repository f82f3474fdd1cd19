import { Wallet as EthersWallet, keccak256, parseEther } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { decode, multisign, Wallet as XrplWallet } from 'xrpl';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import { natural } from '../../src/contract/persons.ts';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { devnetAt, openWallet, type Wallet } from '../support/chains/wallets.ts';
import { until } from '../support/until.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import {
  createHostedWorld,
  type HostedTenant,
  type HostedWorld,
  OPERATOR_KEY,
} from '../support/world/hosted-world.ts';

/** VASPs share the ledgers and the addresses of the robot: what one has paid, another one cannot take. */

let world: HostedWorld;
let payer: HostedTenant;
let thief: HostedTenant;
let endpoint: TestedVasp;
beforeAll(async () => {
  world = await createHostedWorld({
    XRPL_CLOSE_INTERVAL: '100ms',
    QUOTA_REQUESTS_PER_SECOND: '100000',
    QUOTA_BURST: '100000',
  });
  endpoint = await testedVasp();
  payer = await world.register({ name: 'Payer' });
  thief = await world.register({ name: 'Thief', endpoints: endpoint.endpoints });
});
afterAll(async () => {
  await world.close();
  await endpoint.close();
});

interface Payee {
  uuid: string;
  to: string;
}
const FROM = {
  ETH: '0x5811001506550d8356a215be229c15b6ef371a9b',
  XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:1',
};

async function verified(
  { api }: HostedTenant,
  symbol: AssetSymbol,
  amount: string,
  userId = 'taylor-robbins',
): Promise<Payee> {
  const { users, robot } = await api.info();
  const user = users.find(({ id }) => id === userId)!;
  const request = userRequest({ robotVaspId: robot.vaspId, user, symbol, amount, from: FROM[symbol] });
  const { verificationUuid: uuid } = await api.verifyUser(request);
  await until(async () => (await api.verification(uuid)).result === 'VERIFIED');
  return { uuid, to: user.accounts[symbol] };
}

const reportOf = async ({ api }: HostedTenant, { uuid }: Payee) =>
  (await api.verifications({ search: uuid })).verifications[0]!.report;

async function report(tenant: HostedTenant, payee: Payee, txHash: string, vout?: string) {
  const body = { verificationUuid: payee.uuid, txHash, ...(vout === undefined ? {} : { vout }) };
  const answer = await tenant.api.call('POST', '/v1/verifications/tx', body);
  expect(answer.body).toEqual({ result: true });
}

const verdictBecomes = (tenant: HostedTenant, payee: Payee, verdict: string) =>
  until(async () => (await reportOf(tenant, payee))?.verdict === verdict);

const inquiryOf = async ({ api }: HostedTenant, { uuid }: Payee) =>
  (await api.timers()).timers.filter(({ kind, key }) => kind === 'robot.deposit.inquire' && key === uuid);

const creditedTo = async ({ api }: HostedTenant) =>
  (await api.deposits()).deposits.filter(({ status }) => status === 'CREDITED').map(({ txHash }) => txHash);

/** The thief is first, and gets nothing. The payer is credited all the same. */
async function expectNoTheft(payment: Payee, theft: Payee, txHash: string): Promise<void> {
  await report(thief, theft, txHash);
  await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
  expect(await reportOf(thief, theft)).toMatchObject({
    got: 'a transaction that another VASP has submitted',
  });
  await report(payer, payment, txHash);
  await verdictBecomes(payer, payment, 'CREDITED');
  expect(await creditedTo(payer)).toContain(txHash);
  expect((await thief.api.deposits()).deposits.map(each => each.txHash)).not.toContain(txHash);
}

let paid = 0;
/** Of no other payment. */
const nextAmount = () => `0.1${String(++paid).padStart(3, '0')}`;

const urlFor = (symbol: AssetSymbol, { apiKey }: HostedTenant) =>
  `${devnetAt(symbol, world.url)}?key=${apiKey}`;

async function walletOf(symbol: AssetSymbol, tenant: HostedTenant): Promise<Wallet> {
  const wallet = await openWallet(symbol, urlFor(symbol, tenant));
  await tenant.api.faucet(symbol, wallet.address, '30');
  return wallet;
}

async function rpc<T>(tenant: { apiKey: string }, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.apiKey}` };
  const answer = await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}
const eth = (tenant: { apiKey: string }, method: string, ...params: unknown[]) =>
  rpc<{ result?: string; error?: object }>(tenant, '/devnet/ethereum', {
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  });
const xrp = (tenant: { apiKey: string }, method: string, params: object) =>
  rpc<{ result: Record<string, never> }>(tenant, '/devnet/xrpl', { method, params: [params] });
const operator = { apiKey: OPERATOR_KEY };

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  let wallet: Wallet;
  let payment: Payee;
  let theft: Payee;
  let amount: string;
  beforeAll(async () => {
    wallet = await walletOf(symbol, payer);
  });
  afterAll(() => wallet.close());
  beforeEach(async () => {
    amount = nextAmount();
    [theft, payment] = [await verified(thief, symbol, amount), await verified(payer, symbol, amount)];
  });

  test('a payment is of the VASP whose key has sent it', async () => {
    await expectNoTheft(payment, theft, await wallet.pay(payment.to, amount));
  });

  test('the thief names it in another form, and before a block holds it', async () => {
    const { hash, send } = await wallet.prepare(payment.to, amount);
    await world.operator.turnKnob(symbol, 'hold', { on: true });
    const sent = send();
    await until(async () => isKnown(symbol, hash));
    await report(
      thief,
      theft,
      symbol === 'ETH' ? hash.toUpperCase().replace('0X', '0x') : hash.toLowerCase(),
    );
    await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
    await world.operator.turnKnob(symbol, 'hold', { on: false });
    await sent;
    await report(payer, payment, hash);
    await verdictBecomes(payer, payment, 'CREDITED');
  });

  test('a payment of the faucet is of the VASP that has asked for it', async () => {
    await expectNoTheft(payment, theft, (await payer.api.faucet(symbol, payment.to, amount)).txHash);
  });

  test('the thief cannot name it in a status answer', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    endpoint.script('transactionStatus', theft.uuid, {
      body: { verificationUuid: theft.uuid, transactionStatus: 'CONFIRMED', txHash },
    });
    await thief.api.call('POST', '/vega/robot/v1.0/action/tx/inquiry', { verificationUuid: theft.uuid });
    await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
    await report(payer, payment, txHash);
    await verdictBecomes(payer, payment, 'CREDITED');
  });

  test('only the payer is asked for the status of its payment, and sees it', async () => {
    await thief.api.advance('1m');
    const asked = await inquiryOf(thief, theft);
    const txHash = await wallet.pay(payment.to, amount);
    const seenBy = async ({ api }: HostedTenant) =>
      (await api.deposits()).deposits.find(d => d.txHash === txHash);
    await until(async () => (await seenBy(payer))?.status === 'CONFIRMED');
    expect(await seenBy(payer)).toMatchObject({
      note: expect.stringContaining('1 verification fits'),
    });
    expect(await seenBy(thief)).toBeUndefined();
    expect(await inquiryOf(thief, theft)).toEqual(asked);
    await report(payer, payment, txHash);
    await verdictBecomes(payer, payment, 'CREDITED');
  });

  test('sent once more by the thief, it stays with the payer', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    if (symbol === 'ETH') {
      const { result } = await eth(thief, 'eth_getRawTransactionByHash', txHash);
      await eth(thief, 'eth_sendRawTransaction', result);
    } else {
      const { result } = await xrp(thief, 'tx', { transaction: txHash, binary: true });
      await xrp(thief, 'submit', { tx_blob: result.tx });
    }
    await expectNoTheft(payment, theft, txHash);
  });

  test('an old payment that nobody has reported is not for others', async () => {
    const txHash = await wallet.pay(payment.to, amount);
    await payer.api.advance('2h');
    await expectNoTheft(payment, theft, txHash);
  });

  test('a payment of the thief is no remark on the verification of another VASP', async () => {
    const { api } = payer;
    const { users, robot } = await api.info();
    const user = users.find(({ id }) => id === 'taylor-robbins')!;
    const denied = userRequest({ robotVaspId: robot.vaspId, user, symbol, amount, from: FROM[symbol] });
    denied.payload.ivms101.beneficiary.beneficiaryPersons = [natural('Somebody', 'Else')];
    const { verificationUuid } = await api.verifyUser(denied);
    await until(async () => (await api.verification(verificationUuid)).result === 'DENIED');
    await payer.api.call('POST', '/v1/verifications/error', {
      verificationUuid: payment.uuid,
      reason: 'UNDEFINED-ERROR',
    });
    const { txHash } = await thief.api.faucet(symbol, payment.to, amount);
    await report(thief, theft, txHash);
    await verdictBecomes(thief, theft, 'CREDITED');
    for (const uuid of [verificationUuid, payment.uuid]) {
      const [entry] = (await api.verifications({ search: uuid })).verifications;
      expect(entry?.remarks, uuid).toEqual([]);
    }
  });

  test("what the operator sends is nobody's: who names it first is credited", async () => {
    const { txHash } = await world.operator.faucet(symbol, payment.to, amount);
    await report(thief, theft, txHash);
    await verdictBecomes(thief, theft, 'CREDITED');
    await report(payer, payment, txHash);
    await verdictBecomes(payer, payment, 'ALREADY-USED');
  });
});

const isKnown = async (symbol: AssetSymbol, hash: string): Promise<boolean> =>
  symbol === 'ETH'
    ? (await eth(operator, 'eth_getTransactionByHash', hash)).result !== null
    : (await xrp(operator, 'tx', { transaction: hash })).result.status === ('success' as never);

describe('Ethereum: every way to send', () => {
  const signer = EthersWallet.createRandom();
  let nonce = 0;
  let amount: string;
  let payment: Payee;
  let theft: Payee;
  beforeAll(() => payer.api.faucet('ETH', signer.address, '30'));
  beforeEach(async () => {
    amount = nextAmount();
    [theft, payment] = [await verified(thief, 'ETH', amount), await verified(payer, 'ETH', amount)];
  });
  const signed = (more: object = {}) =>
    signer.signTransaction({
      chainId: 31_337,
      nonce: nonce++,
      to: payment.to,
      value: parseEther(amount),
      gasLimit: 30_000,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...more,
    });
  const old = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined, gasPrice: 3_000_000_000n };

  test.each([
    ['before EIP-2718', { type: 0, ...old }],
    ['before EIP-155', { type: 0, ...old, chainId: 0 }],
    ['with an access list', { type: 1, ...old, accessList: [] }],
    ['by EIP-1559', { type: 2 }],
  ])('a transaction %s', async (_, more) => {
    const { result: hash } = await eth(payer, 'eth_sendRawTransaction', await signed(more));
    await expectNoTheft(payment, theft, hash!);
  });

  test('in a batch, as a notification', async () => {
    const raw = await signed();
    await rpc(payer, '/devnet/ethereum', [
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { jsonrpc: '2.0', method: 'eth_sendRawTransaction', params: [raw] },
    ] as never).catch(() => {});
    const hash = keccak256(raw);
    await until(async () => isKnown('ETH', hash));
    await expectNoTheft(payment, theft, hash);
  });

  test('over a WebSocket', async () => {
    const socket = new WebSocket(urlFor('ETH', payer).replace(/^http/, 'ws'));
    await new Promise(resolve => socket.once('open', resolve));
    const answer = new Promise<{ result: string }>(resolve =>
      socket.once('message', data => resolve(JSON.parse(String(data)))),
    );
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [await signed()] }),
    );
    await expectNoTheft(payment, theft, (await answer).result);
    socket.close();
  });

  test('a replaced transaction and the one that took its nonce are both of the payer', async () => {
    await world.operator.turnKnob('ETH', 'hold', { on: true });
    const first = await eth(payer, 'eth_sendRawTransaction', await signed());
    await report(thief, theft, first.result!);
    await report(payer, payment, first.result!);
    await verdictBecomes(payer, payment, 'NOT-FINAL');
    nonce -= 1;
    const bid = { maxFeePerGas: 6_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
    const second = await eth(payer, 'eth_sendRawTransaction', await signed(bid));
    await world.operator.turnKnob('ETH', 'hold', { on: false });
    await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
    await payer.api.advance('1m');
    await verdictBecomes(payer, payment, 'REPLACED');
    await expectNoTheft(payment, theft, second.result!);
  });

  test('several payments in one transaction, each with its `vout`', async () => {
    const second = await verified(payer, 'ETH', amount, 'risk-low');
    const stolen = await verified(thief, 'ETH', amount, 'risk-low');
    const { body } = await payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address: payment.to,
      amount,
      others: [{ address: second.to, amount }],
    });
    // The money for the contract that pays both is at position 0.
    for (const [payee, vout] of [
      [theft, '1'],
      [stolen, '2'],
    ] as const) {
      await report(thief, payee, body.txHash, vout);
      await verdictBecomes(thief, payee, 'OF-ANOTHER-VASP');
    }
    for (const [payee, vout] of [
      [payment, '1'],
      [second, '2'],
    ] as const) {
      await report(payer, payee, body.txHash, vout);
      await verdictBecomes(payer, payee, 'CREDITED');
    }
  });

  test('the event of a token', async () => {
    const { body } = await payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address: payment.to,
      amount,
      token: true,
    });
    await report(thief, theft, body.txHash);
    await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
    await report(payer, payment, body.txHash);
    await verdictBecomes(payer, payment, 'WRONG-RECIPIENT');
  });
});

describe('XRP Ledger: every way to submit', () => {
  const [account, ...signers] = Array.from({ length: 3 }, () => XrplWallet.generate()) as [
    XrplWallet,
    XrplWallet,
    XrplWallet,
  ];
  let amount: string;
  let payment: Payee;
  let theft: Payee;
  beforeAll(async () => {
    await payer.api.faucet('XRP', account.address, '30');
    const list = {
      TransactionType: 'SignerListSet',
      SignerQuorum: 2,
      SignerEntries: signers.map(({ address }) => ({ SignerEntry: { Account: address, SignerWeight: 1 } })),
    };
    const { tx_blob } = account.sign((await filled(list)) as never);
    await xrp(payer, 'submit', { tx_blob });
  });
  beforeEach(async () => {
    amount = nextAmount();
    [theft, payment] = [await verified(thief, 'XRP', amount), await verified(payer, 'XRP', amount)];
  });
  async function filled(json: object) {
    const { result } = await xrp(payer, 'account_info', {
      account: account.address,
      ledger_index: 'current',
    });
    const { Sequence } = result.account_data as unknown as { Sequence: number };
    return { Account: account.address, Sequence, Fee: '100', NetworkID: 21_117, ...json };
  }
  const payingJson = () => {
    const [Destination, tag] = payment.to.split(':');
    const Amount = String(Math.round(Number(amount) * 1_000_000));
    return filled({ TransactionType: 'Payment', Destination, DestinationTag: Number(tag), Amount });
  };

  test('over a WebSocket', async () => {
    const { tx_blob, hash } = account.sign((await payingJson()) as never);
    const socket = new WebSocket(urlFor('XRP', payer));
    await new Promise(resolve => socket.once('open', resolve));
    socket.send(JSON.stringify({ id: 1, command: 'submit', tx_blob }));
    await new Promise(resolve => socket.once('message', resolve));
    await expectNoTheft(payment, theft, hash);
    socket.close();
  });

  test('with the signatures of several', async () => {
    const json = { ...(await payingJson()), SigningPubKey: '' } as never;
    const blob = multisign(signers.map(signer => signer.sign(json, true).tx_blob));
    const { result } = await xrp(payer, 'submit_multisigned', { tx_json: decode(blob) });
    expect(result.engine_result).toBe('tesSUCCESS');
    await expectNoTheft(payment, theft, (result.tx_json as unknown as { hash: string }).hash);
  });

  test('a partial payment of the faucet', async () => {
    const partial = await verified(thief, 'XRP', '0.05');
    const own = await verified(payer, 'XRP', '0.05');
    const { body } = await payer.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'XRP',
      address: payment.to,
      amount,
      delivered: '0.05',
    });
    await expectNoTheft(own, partial, body.txHash);
  });
});
