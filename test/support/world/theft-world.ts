import { expect } from 'vitest';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { userRequest } from '../../../src/contract/sample-requests.ts';
import { devnetAt } from '../chains/wallets.ts';
import { until } from '../until.ts';
import { createHostedWorld, type HostedTenant, OPERATOR_KEY } from './hosted-world.ts';

export interface Payee {
  uuid: string;
  to: string;
}
export const FROM = { ETH: '0x5811001506550d8356a215be229c15b6ef371a9b', XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:1' };

const operator = { apiKey: OPERATOR_KEY };

/** A hosted sandbox with a VASP that pays, and one that claims those payments. */
export async function createTheftWorld() {
  const world = await createHostedWorld({ XRPL_CLOSE_INTERVAL: '100ms' });
  const payer = await world.register({ name: 'Payer' });
  const thief = await world.registerServed({ name: 'Thief' });
  const { eth, xrp, rpc } = ledgersAt(world.url);
  const isKnown = async (symbol: AssetSymbol, hash: string): Promise<boolean> =>
    symbol === 'ETH'
      ? (await eth(operator, 'eth_getTransactionByHash', hash)).result !== null
      : (await xrp(operator, 'tx', { transaction: hash })).result.status === ('success' as never);

  /** The thief is first, and gets nothing. The payer is credited all the same. */
  async function expectNoTheft(payment: Payee, theft: Payee, txHash: string): Promise<void> {
    await report(thief, theft, txHash);
    await verdictBecomes(thief, theft, 'OF-ANOTHER-VASP');
    expect(await reportOf(thief, theft)).toMatchObject({ got: 'a transaction that another VASP has submitted' });
    await report(payer, payment, txHash);
    await verdictBecomes(payer, payment, 'CREDITED');
    expect(await creditedTo(payer)).toContain(txHash);
    expect((await thief.api.receivedPayments()).payments.map(each => each.txHash)).not.toContain(txHash);
  }

  let paid = 0;
  /** Of no other payment. */
  const nextAmount = () => `0.1${String(++paid).padStart(3, '0')}`;

  return {
    ...world,
    payer,
    thief,
    eth,
    xrp,
    rpc,
    isKnown,
    expectNoTheft,
    nextAmount,
    /** The address of a ledger, with the key of a VASP. */
    urlFor: (symbol: AssetSymbol, { apiKey }: HostedTenant) => `${devnetAt(symbol, world.url)}?key=${apiKey}`,
  };
}

export async function verified(
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

export const reportOf = async ({ api }: HostedTenant, { uuid }: Payee) =>
  (await api.verifications({ search: uuid })).verifications[0]!.report;

export async function report(tenant: HostedTenant, payee: Payee, txHash: string, vout?: string) {
  const body = { verificationUuid: payee.uuid, txHash, ...(vout === undefined ? {} : { vout }) };
  const answer = await tenant.api.call('POST', '/v1/verifications/tx', body);
  expect(answer.body).toEqual({ result: true });
}

export const verdictBecomes = (tenant: HostedTenant, payee: Payee, verdict: string) =>
  until(async () => (await reportOf(tenant, payee))?.verdict === verdict);

const creditedTo = async ({ api }: HostedTenant) =>
  (await api.receivedPayments()).payments.filter(({ status }) => status === 'CREDITED').map(({ txHash }) => txHash);

function ledgersAt(url: string) {
  async function rpc<T>(tenant: { apiKey: string }, path: string, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.apiKey}` };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as T;
  }
  const eth = (tenant: { apiKey: string }, method: string, ...params: unknown[]) =>
    rpc<{ result?: string; error?: object }>(tenant, '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params });
  const xrp = (tenant: { apiKey: string }, method: string, params: object) =>
    rpc<{ result: Record<string, never> }>(tenant, '/devnet/xrpl', { method, params: [params] });
  return { eth, xrp, rpc };
}
