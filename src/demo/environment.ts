import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve as listen } from '@hono/node-server';
import { loadConfig } from '../app/config.ts';
import type { Info, RobotUser } from '../client/answers.ts';
import { type Client, client } from '../client/client.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import { type Running, serve } from '../main.ts';
import { endpointsAt, serveVasp } from '../vasps/serve-vasp.ts';
import { type StandInVasp, standInVasp } from './stand-in-vasp.ts';
import { ethereumWallet, type Wallet, xrplWallet } from './wallets.ts';

/** The sandbox, the stand-in for the tested VASP, and its wallets. */
export interface DemoEnvironment {
  url: string;
  vaspUrl: string;
  api: Client;
  vasp: StandInVasp;
  info: Info;
  wallets: Record<AssetSymbol, Wallet>;
  user(id: string): RobotUser;
}

const AUTHORIZATION = { header: 'Authorization', token: 'demo-token' };

/** Uses free ports and a temporary folder. `opened` receives one undo function per resource, in the order of opening. */
export async function startEnvironment(
  opened: (undo: () => Promise<unknown>) => void,
): Promise<DemoEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-demo-'));
  opened(() => rm(folder, { recursive: true, force: true }));
  const vasp = standInVasp();
  const vaspServer = await serveStandIn(vasp);
  opened(() => closeServer(vaspServer));
  const vaspUrl = `http://127.0.0.1:${(vaspServer.address() as { port: number }).port}`;

  const running = await startSandbox(folder, vaspUrl);
  opened(() => running.stop());
  const { url } = running;
  const api = client(url);
  const [info, ETH, XRP] = await Promise.all([api.info(), ethereumWallet(url), xrplWallet(url)]);
  opened(() => Promise.all([ETH.close(), XRP.close()]));
  const user = (id: string) => info.users.find(each => each.id === id)!;
  return { url, vaspUrl, api, vasp, info, wallets: { ETH, XRP }, user };
}

/** The configuration of a real enclave: four addresses and a token. */
async function startSandbox(folder: string, vaspUrl: string): Promise<Running> {
  const endpoints = endpointsAt(vaspUrl);
  const running = await serve(
    loadConfig({
      PORT: '0',
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      XRPL_CLOSE_INTERVAL: '250ms',
      LOG_LEVEL: 'error',
      VEGA_VERIFICATION_API_PATH: endpoints.verifyUser,
      VEGA_VERIFICATION_ACCOUNT_API_PATH: endpoints.verifyAccount,
      VEGA_VERIFICATION_TRANSACTION_API_PATH: endpoints.transactionStatus,
      VEGA_VERIFICATION_CALLBACK_API_PATH: endpoints.callback,
      VEGA_VERIFICATION_AUTHORIZATION_TOKEN: AUTHORIZATION.token,
    }),
  );
  await running.app.ready();
  return running;
}

async function serveStandIn(vasp: StandInVasp): Promise<Server> {
  const { fetch } = serveVasp(vasp, AUTHORIZATION);
  const server = listen({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  return server;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await once(server, 'close');
}
