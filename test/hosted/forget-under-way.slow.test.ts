import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { createLog } from '../../src/kernel/log.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { scratchFolder } from '../support/db/scratch-folder.ts';
import { askedByRobot } from '../support/requests/from-robot.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import {
  createHostedWorld,
  type HostedTenant,
  type HostedWorld,
  verificationBy,
} from '../support/world/hosted-world.ts';

/** A VASP is forgotten while something of it is under way: nothing of it stays in any file, whatever ends when. */

const folder = scratchFolder();
let env: Record<string, string>;
let ethereum: Awaited<ReturnType<typeof startProxiedEthereum>>;
let world: HostedWorld;
const lines: string[] = [];
const log = createLog('debug', { write: line => void lines.push(line) });

beforeAll(async () => {
  ethereum = await startProxiedEthereum();
  env = { ...ethereum.env, DATABASE_PATH: join(folder, 'robot.sqlite'), XRPL_CLOSE_INTERVAL: '50ms' };
  world = await createHostedWorld({ ...env, REGISTRATION: 'trial', VASP_TIMEOUT_USER: '20s' }, log);
}, 60_000);
afterAll(async () => {
  await world.close();
  await ethereum.close();
});

/** A VASP whose name, persons, accounts and addresses stand nowhere else. */
class Marked {
  readonly mark = `Zyx${Math.random().toString(36).slice(2, 8)}qj`;
  readonly accounts = { ETH: freshAddress('ETH'), XRP: freshAddress('XRP').split(':')[0]! };
  vasp!: TestedVasp;
  tenant!: HostedTenant;
  uuids: string[] = [];

  async register(): Promise<this> {
    this.vasp = await testedVasp();
    this.tenant = await world.register({ name: `${this.mark} Exchange`, endpoints: this.vasp.endpoints });
    return this;
  }
  /** A request to the robot, or to another VASP. */
  async request(beneficiaryVaspId?: string): Promise<VerifyUserRequest> {
    const request = this.marked({ ...(await verificationBy(this.tenant)) });
    request.payload.ivms101.originator.accountNumber = [this.accounts.ETH];
    return beneficiaryVaspId === undefined ? request : { ...request, beneficiaryVaspId };
  }
  marked<T>(request: T): T {
    const names = /"(?:Barnes|Robert|Harper|Olivia)"/g;
    return JSON.parse(JSON.stringify(request).replaceAll(names, `"${this.mark}"`)) as T;
  }
  async verify(beneficiaryVaspId?: string): Promise<string> {
    const { verificationUuid } = await this.tenant.api.verifyUser(await this.request(beneficiaryVaspId));
    this.uuids.push(verificationUuid);
    return verificationUuid;
  }
  forget = async (): Promise<number> =>
    (await world.operator.call('DELETE', `/sandbox/v1/tenants/${this.tenant.vaspId}`)).status;
  /** What stands in a file of the database, or in the log. */
  left(): string[] {
    const { mark, accounts, uuids, tenant, vasp } = this;
    const texts = [mark, mark.toLowerCase(), ...Object.values(accounts), accounts.ETH.toLowerCase()];
    const host = new URL(vasp.url).host;
    const files = ['robot.sqlite', 'robot.sqlite-wal'].map(name => [name, readFileSync(join(folder, name))]);
    return [...texts, ...uuids, host, tenant.apiKey, tenant.signingSecret].flatMap(text =>
      [...files, ['log', lines.join('')] as const]
        .filter(([, content]) => content!.includes(text))
        .map(([name]) => `${text} in ${name}`),
    );
  }
  /** It is 404 as soon as nothing of the VASP remains. */
  async isGone(): Promise<void> {
    await untilLater(async () => (await this.forget()) === 404);
    expect(this.left()).toEqual([]);
    await this.vasp.close();
  }
}

/** While the time of the machine goes on: a wallet looks at its transfers again and again. */
const untilLater = (holds: () => Promise<boolean>): Promise<void> =>
  until(() => {
    world.machine.at += 1_000;
    return holds();
  });

async function restart(): Promise<void> {
  const { at } = world.machine;
  await world.close();
  world = await createHostedWorld({ ...env, REGISTRATION: 'trial' }, log);
  world.machine.at = at;
}
async function balanceOf(account: string): Promise<string | undefined> {
  const { body } = await world.operator.call<{ result: { account_data?: { Balance: string } } }>(
    'POST',
    '/devnet/xrpl',
    { method: 'account_info', params: [{ account }] },
  );
  return body.result.account_data?.Balance;
}

const newVasp = () => new Marked().register();
const other = () => world.registerServed();

test('a VASP with much behind it is gone', async () => {
  const vasp = await newVasp();
  const { vaspId, api } = await other();
  for (let sent = 0; sent < 20; sent++) await vasp.verify(sent % 2 === 0 ? undefined : vaspId);
  // Its persons stand in the lists that another VASP reads, and in the questions that it asks.
  await api.call('GET', '/v1/verifications?fromDate=1970-01-01');
  await api.vasps();
  const { symbol } = (await vasp.request()).assetInfo;
  const { ivms101, version } = (await vasp.request()).payload;
  const question = { keyType: 'PerVasp', beneficiaryVaspId: vasp.tenant.vaspId, symbol };
  const payload = { version, ivms101: { beneficiary: ivms101.beneficiary } };
  await api.call('POST', '/v1/verifications/account', { ...question, payload });
  await vasp.tenant.api.putUser(vasp.mark.toLowerCase(), {
    kind: 'natural',
    names: { lastName: vasp.mark, firstName: vasp.mark },
    kyc: true,
  });
  expect(vasp.left()).not.toEqual([]);
  expect(await vasp.forget()).toBe(200);
  await vasp.isGone();
});

describe('while there is under way', () => {
  test('an answer of the VASP, which comes late: its health stays as it is, too', async () => {
    const vasp = await newVasp();
    const answer = gate();
    vasp.vasp.script('verifyUser', undefined, answer.opened);
    const members = { api: vasp.tenant.api, vasp: vasp.vasp, vaspId: vasp.tenant.vaspId };
    const { users } = await vasp.tenant.api.info();
    const user = (id: string) => users.find(each => each.id === id)!;
    const { uuid } = await askedByRobot({ ...members, user, amount: () => '0.1' } as never, {
      to: vasp.accounts.ETH,
      change: request => Object.assign(request, vasp.marked(request)),
    });
    vasp.uuids.push(uuid);
    await vasp.vasp.arrived('verifyUser', uuid, 1);
    const forgotten = vasp.forget();
    await until(async () => (await vasp.tenant.api.call('GET', '/v1/vasps/self')).status === 401);
    answer.open();
    expect(await forgotten).toBe(200);
    await vasp.isGone();
    const reader = await other();
    const listed = (await reader.api.vasps()).vasps.map(({ vaspId }) => vaspId);
    expect(listed).not.toContain(vasp.tenant.vaspId);
  });

  test.each(['verifyUser', 'callback'] as const)('a call of %s to another VASP about it', async operation => {
    const vasp = await newVasp();
    const beneficiary = await other();
    const answer = gate();
    beneficiary.vasp.script(operation, undefined, answer.opened);
    const uuid = await vasp.verify(beneficiary.vaspId);
    if (operation === 'callback') {
      await vasp.vasp.arrived('callback', uuid, 1);
      await vasp.tenant.api.reportError(uuid, 'ERROR', 'USER-CANCELED', vasp.mark);
    }
    await beneficiary.vasp.arrived(operation, uuid, 1);
    const forgotten = vasp.forget();
    await until(async () => (await vasp.tenant.api.call('GET', '/v1/vasps/self')).status === 401);
    answer.open();
    expect(await forgotten).toBe(200);
    await vasp.isGone();
  });

  test('a verification that waits for the node', async () => {
    const vasp = await newVasp();
    const node = gate();
    const request = await vasp.request();
    let asked = 0;
    ethereum.proxy.rule(async ({ method }) => {
      if (method === 'eth_getBlockByNumber') {
        asked += 1;
        await node.opened;
      }
      return undefined;
    });
    const answered = vasp.tenant.api.call('POST', '/v1/verifications', request);
    await until(() => asked > 0);
    const forgotten = vasp.forget();
    await until(async () => (await vasp.tenant.api.call('GET', '/v1/vasps/self')).status === 401);
    node.open();
    ethereum.proxy.rule(undefined);
    expect((await answered).status).toBe(401);
    expect(await forgotten).toBe(200);
    await vasp.isGone();
  });

  test('a stream, which ends, and a run, which leaves nothing', async () => {
    const vasp = await newVasp();
    await vasp.tenant.api.startRun({ symbols: ['XRP'], modules: ['W1'] });
    const { apiKey } = vasp.tenant;
    const headers = { authorization: `Bearer ${apiKey}` };
    const stream = await fetch(`${world.url}/sandbox/v1/events`, { headers });
    const ended = stream.text().catch(() => '');
    expect(await vasp.forget()).toBe(200);
    await ended;
    expect((await fetch(`${world.url}/sandbox/v1/events`, { headers })).status).toBe(401);
    await vasp.isGone();
  });

  test.each([false, true])(
    'a transfer: when it is final, its account is gone (restart: %s)',
    async isRestarted => {
      const vasp = await newVasp();
      const { api, vaspId } = vasp.tenant;
      const { users } = await api.info();
      const user = (id: string) => users.find(each => each.id === id)!;
      const to = user('taylor-robbins').accounts.XRP;
      const request = await vasp.request();
      request.assetInfo = { ...request.assetInfo, symbol: 'XRP', amount: '20' };
      delete request.assetInfo.network;
      request.payload.ivms101.originator.accountNumber = [`${vasp.accounts.XRP}:1`];
      request.payload.ivms101.beneficiary.accountNumber = [to];
      const { verificationUuid } = await api.verifyUser(request);
      await vasp.vasp.arrived('callback', verificationUuid, 1);
      const [account, tag] = to.split(':');
      const { txHash } = await api.faucet('XRP', `${account}:${tag}`, '20');
      await api.reportTransaction(verificationUuid, txHash);
      await untilLater(async () => (await api.balance(vaspId, 'XRP', to)).value === '20');

      const members = { api, vasp: vasp.vasp, vaspId, user, amount: () => '20' } as never;
      const { uuid } = await askedByRobot(members, { symbol: 'XRP', amount: '20', to: `${vasp.accounts.XRP}:77` });
      // The rows of money keep the ids of their verifications.
      await until(async () => (await api.verification(uuid)).result === 'VERIFIED');
      await world.operator.setControl('XRP', 'hold', { on: true });
      await api.robotWithdraw(uuid);
      await untilLater(async () => (await api.inquireTransaction(uuid)).transactionStatus === 'PROCESSING');
      expect(await vasp.forget()).toBe(200);
      expect(await vasp.forget()).toBe(200);
      if (isRestarted) await restart();
      await world.operator.setControl('XRP', 'hold', { on: false });
      await vasp.isGone();
      expect(await balanceOf(vasp.accounts.XRP)).toBe('20000000');
    },
    60_000,
  );
});

test('the accounts of its users are watched no more', async () => {
  const vasp = await newVasp();
  const { api } = vasp.tenant;
  await api.putUser('own', { kind: 'natural', names: { lastName: 'A', firstName: 'B' }, kyc: true });
  const account = (await api.info()).users.find(({ id }) => id === 'own')!.accounts.ETH;
  const word = account.slice(2).toLowerCase();
  let read = '';
  ethereum.proxy.rule(call => {
    if (call.method === 'eth_call') read = JSON.stringify(call.params).toLowerCase();
    return undefined;
  });
  const isWatched = (wanted: boolean): Promise<void> => {
    read = '';
    return until(async () => {
      await ethereum.node.controls.mine(1);
      return read !== '' && read.includes(word) === wanted;
    });
  };
  await isWatched(true);
  expect(await vasp.forget()).toBe(200);
  await isWatched(false);
  await restart();
  await isWatched(false);
  ethereum.proxy.rule(undefined);
  await vasp.isGone();
});

test('a trial that ends while its answer is under way is gone, too', async () => {
  const vasp = new Marked();
  vasp.vasp = await testedVasp();
  const { body } = await world.stranger.call<HostedTenant>('POST', '/sandbox/v1/registrations', {
    name: vasp.mark,
    endpoints: vasp.vasp.endpoints,
  });
  const { client } = await import('../../src/client/client.ts');
  vasp.tenant = { ...body, api: client(world.url, { apiKey: body.apiKey }) };
  const answer = gate();
  const beneficiary = await other();
  beneficiary.vasp.script('verifyUser', undefined, answer.opened);
  const uuid = await vasp.verify(beneficiary.vaspId);
  await beneficiary.vasp.arrived('verifyUser', uuid, 1);
  world.machine.at += 8 * 86_400_000;
  await until(async () => (await vasp.tenant.api.call('GET', '/v1/vasps/self')).status === 401);
  answer.open();
  await vasp.isGone();
});
