import { loadConfig } from '../../../src/app/config/config.ts';
import { type Client, client } from '../../../src/client/client.ts';
import type { VerifyUserRequest } from '../../../src/contract/requests.ts';
import { userRequest } from '../../../src/contract/sample-requests.ts';
import { type Log, silentLog } from '../../../src/kernel/log.ts';
import { serve } from '../../../src/main.ts';
import { type TestedVasp, testedVasp } from '../vasp/tested-vasp.ts';

export const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';
export const HOSTED = {
  MODE: 'hosted',
  OPERATOR_KEY,
  PUBLIC_URL: 'https://sandbox.example',
  DATA_KEY: '0f'.repeat(32),
  ALLOW_HTTP_CALLBACKS: 'true',
  CALLBACK_ALLOW: '127.0.0.0/8',
};
/** A test that means neither has no limit that a quick machine reaches. */
const UNLIMITED = { QUOTA_REQUESTS_PER_SECOND: '100000', QUOTA_BURST: '100000' };

export interface HostedTenant {
  vaspId: string;
  apiKey: string;
  signingSecret: string;
  api: Client;
}

export interface ServedTenant extends HostedTenant {
  vasp: TestedVasp;
}

/** The hosted program behind a real server, with embedded chains, in memory unless `env` names a database. */
export interface HostedWorld {
  url: string;
  /** The clock of the machine, epoch ms. */
  machine: { at: number };
  operator: Client;
  /** Without a key. */
  stranger: Client;
  invite(name?: string): Promise<string>;
  register(more?: object): Promise<HostedTenant>;
  /** With a VASP at its four endpoints, which is closed with the world. */
  registerServed(more?: object): Promise<ServedTenant>;
  close(): Promise<void>;
}

/** `log`: default: nothing is logged. */
export async function createHostedWorld(env: Record<string, string> = {}, log: Log = silentLog): Promise<HostedWorld> {
  const machine = { at: Date.UTC(2026, 6, 15, 10) };
  const config = loadConfig({
    ...HOSTED,
    ...UNLIMITED,
    PORT: '0',
    DATABASE_PATH: ':memory:',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const { url, app, stop } = await serve(config, { clock: { now: () => machine.at }, log });
  await app.ready();
  const members = hostedMembers(url);
  const vasps: TestedVasp[] = [];
  return {
    url,
    machine,
    ...members,
    async registerServed(more = {}) {
      const vasp = await testedVasp();
      vasps.push(vasp);
      return { ...(await members.register({ endpoints: vasp.endpoints, ...more })), vasp };
    },
    async close() {
      await stop();
      await Promise.all(vasps.map(vasp => vasp.close()));
    },
  };
}

/** Operator and VASPs of a hosted sandbox at this address. */
export function hostedMembers(url: string): Omit<HostedWorld, 'url' | 'machine' | 'registerServed' | 'close'> {
  const operator = client(url, { apiKey: OPERATOR_KEY });
  const stranger = client(url);
  const invite = async (name = 'Some Exchange') => {
    const { body } = await operator.call<{ invitation: string }>('POST', '/sandbox/v1/invitations', { name });
    return body.invitation;
  };
  return {
    operator,
    stranger,
    invite,
    async register(more = {}) {
      const request = { invitation: await invite(), name: 'Some Exchange', ...more };
      const { status, body } = await stranger.call<Omit<HostedTenant, 'api'>>(
        'POST',
        '/sandbox/v1/registrations',
        request,
      );
      if (status !== 201) throw new Error(`the registration answered ${status} ${JSON.stringify(body)}`);
      return { ...body, api: client(url, { apiKey: body.apiKey }) };
    },
  };
}

/** A request of the tenant that the robot verifies. */
export async function verificationBy({ api }: Pick<HostedTenant, 'api'>): Promise<VerifyUserRequest> {
  const { users, robot } = await api.info();
  return userRequest({
    robotVaspId: robot.vaspId,
    user: users.find(({ id }) => id === 'taylor-robbins')!,
    symbol: 'ETH',
    amount: '0.024',
    from: '0x5811001506550d8356a215be229c15b6ef371a9b',
  });
}
