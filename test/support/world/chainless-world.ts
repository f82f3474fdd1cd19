import Sqlite from 'better-sqlite3';
import { loadConfig } from '../../../src/app/config/config.ts';
import { type Client, client, type Info, type RobotUser } from '../../../src/client/client.ts';
import type { VerifyUserRequest } from '../../../src/contract/requests.ts';
import { accountRequest, userRequest } from '../../../src/contract/sample-requests.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { serve } from '../../../src/main.ts';
import { type TestedVasp, testedVasp } from '../vasp/tested-vasp.ts';
import { vaspEnvironment } from './world.ts';

export interface RegisteredVasp {
  vaspId: string;
  api: Client;
  vasp: TestedVasp;
}

/** The program behind a real server, with VASPs around it, and chains that nobody can reach: for what needs no money. */
export interface ChainlessWorld extends RegisteredVasp {
  url: string;
  robotVaspId: string;
  info: Info;
  machine: { at: number };
  user(id: string): RobotUser;
  /** Another registered VASP with a server of its own. */
  register(vaspId: string, endpoints?: Partial<TestedVasp['endpoints']>): Promise<RegisteredVasp & { apiKey: string }>;
  /** Rows by table, read past the program, without exchanges and the index of the searches. */
  rows(): Record<string, number>;
  sql<T>(query: string, ...bound: unknown[]): T[];
  close(): Promise<void>;
}

export const NOWHERE = {
  ETH_RPC_URL: 'http://127.0.0.1:1',
  ETH_CHAIN_ID: '31337',
  ROBOT_MNEMONIC: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  XRPL_URL: 'ws://127.0.0.1:1',
  XRPL_NETWORK_ID: '21117',
  XRPL_SEED: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
};

export async function createChainlessWorld(path: string, env: Record<string, string> = {}): Promise<ChainlessWorld> {
  const machine = { at: Date.UTC(2026, 6, 15, 10) };
  const vasp = await testedVasp();
  const opened = [vasp];
  const config = loadConfig({
    ...NOWHERE,
    PORT: '0',
    DATABASE_PATH: path,
    LOG_LEVEL: 'silent',
    ...vaspEnvironment(vasp),
    ...env,
  });
  const { url, stop } = await serve(config, { clock: { now: () => machine.at }, log: silentLog });
  const db = new Sqlite(path, { readonly: true });
  const api = client(url);
  const info = await api.info();
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'enclave_search*'",
    )
    .pluck()
    .all() as string[];
  const counts = db
    .prepare(
      tables
        .filter(name => name !== 'runtime_exchanges')
        .map(countOf)
        .join(' UNION ALL '),
    )
    .raw();
  return {
    url,
    api,
    vasp,
    info,
    machine,
    vaspId: info.vasp.vaspId,
    robotVaspId: info.robot.vaspId,
    user: id => info.users.find(user => user.id === id)!,
    async register(vaspId, endpoints) {
      const other = await testedVasp();
      opened.push(other);
      const { apiKey } = await api.registerVasp(vaspId, {
        name: `VASP ${vaspId}`,
        endpoints: endpoints ?? other.endpoints,
      });
      return { vaspId, api: client(url, { apiKey: apiKey! }), vasp: other, apiKey: apiKey! };
    },
    rows: () => Object.fromEntries(counts.all() as [string, number][]),
    sql: <T>(query: string, ...bound: unknown[]) => db.prepare(query).all(...bound) as T[],
    async close() {
      db.close();
      await stop();
      await Promise.all(opened.map(each => each.close()));
    },
  };
}

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';

/** A request to the robot that is VERIFIED. */
export const toRobot = (
  world: ChainlessWorld,
  userId = 'taylor-robbins',
  symbol: 'ETH' | 'XRP' = 'ETH',
): VerifyUserRequest =>
  structuredClone(
    userRequest({ robotVaspId: world.robotVaspId, user: world.user(userId), symbol, amount: '0.024', from: FROM }),
  );

/** The same to any VASP, which answers as its server says. */
export const toVasp = (world: ChainlessWorld, beneficiaryVaspId: string): VerifyUserRequest => ({
  ...toRobot(world),
  beneficiaryVaspId,
});

export const accountAtRobot = (world: ChainlessWorld, userId = 'taylor-robbins', symbol: 'ETH' | 'XRP' = 'ETH') =>
  structuredClone(accountRequest({ robotVaspId: world.robotVaspId, user: world.user(userId), symbol }));

/** A verification that has ended; answers its uuid. */
export async function verifiedBy(from: RegisteredVasp, request: VerifyUserRequest): Promise<string> {
  const { verificationUuid } = await from.api.verifyUser(request);
  await from.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  return verificationUuid;
}

const countOf = (table: string): string => `SELECT '${table}', count(*) FROM "${table}"`;
