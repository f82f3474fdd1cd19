import { join } from 'node:path';
import { type Client, client, type RobotUser } from '../../src/client/client.ts';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { robotUserRequest, userRequest } from '../../src/contract/sample-requests.ts';
import { endpointsAt } from '../../src/contract/vasp-api.ts';
import { freshAddress, ledgerOf } from '../support/chains/on-chain.ts';
import { devnetAt, openWallet } from '../support/chains/wallets.ts';
import { until } from '../support/until.ts';
import type { StandInVasp } from '../support/vasp/stand-in-vasp.ts';
import { CallbackSink } from './callback-sink.ts';
import { postAll } from './load.ts';
import { plainVasp } from './plain-vasp.ts';
import { type Measured, start } from './process.ts';
import { BASELINE, OURS } from './programs.ts';
import { section, show } from './report.ts';
import { median, medianOf } from './samples.ts';
import { cpuOf, spent } from './usage.ts';
import { verificationRequest } from './verification-request.ts';
import { round as verificationRound } from './verifications.ts';

const COUNT = 200;
const ROUNDS = 5;
const CONNECTIONS = 50;
const WITHDRAWAL = '/vega/robot/v1.0/action/withdrawal';
const AMOUNT = '1.25';
const USER = 'taylor-robbins';
const CLOSE_INTERVAL_MS = 1_000;
const POLL_MS = 50;
/** Times the main thread's work of the bare server for one insert and one POST. */
const MAX_TIMES_BARE = { ETH: 15, XRP: 15 } as const;
const BARE_REQUESTS = 6_000;
const UNFINISHED = ['PENDING', 'PROCESSING', 'WAIT-CONFIRM'] as const;

interface Bench {
  api: Client;
  vasp: StandInVasp;
  server: Measured;
  user: RobotUser;
  vaspId: string;
  robotVaspId: string;
}

interface Round {
  perSecond: number;
  /** Microseconds per transfer. */
  mainCpu: number;
  otherCpu: number;
  clientCpu: number;
}

/** Withdrawals at once on one wallet, from the first request until the robot lists none that is unfinished. */
export async function benchWithdrawals(folder: string): Promise<void> {
  section(`${COUNT} withdrawals at once on one wallet, until confirmed (median of ${ROUNDS})`);
  const { vasp, url } = await plainVasp();
  const endpoints = endpointsAt(url);
  const server = await start(
    OURS,
    {
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      XRPL_CLOSE_INTERVAL: `${CLOSE_INTERVAL_MS}ms`,
      VEGA_VERIFICATION_API_PATH: endpoints.verifyUser,
      VEGA_VERIFICATION_CALLBACK_API_PATH: endpoints.callback,
    },
    '/readyz',
  );
  const api = client(server.url);
  const info = await api.info();
  const user = info.users.find(each => each.id === USER)!;
  const bench = { api, vasp, server, user, vaspId: info.vasp.vaspId, robotVaspId: info.robot.vaspId };
  const own = { ETH: [] as Round[], XRP: [] as Round[] };
  // V8 has optimised little before the first round.
  for (const symbol of ['ETH', 'XRP'] as const) await round(bench, symbol);
  for (let n = 0; n < ROUNDS; n++)
    for (const symbol of ['ETH', 'XRP'] as const) own[symbol].push(await round(bench, symbol));
  const bareCpu = await bareCpuOf(folder, await verificationRequest(server.url));
  for (const symbol of ['ETH', 'XRP'] as const) showRounds(symbol, own[symbol], bareCpu);
}

/** Microseconds of the main thread for one request of the bare server: one insert and one POST. */
async function bareCpuOf(folder: string, body: string): Promise<number> {
  const sink = new CallbackSink();
  const env = { PEER: await sink.listen(), DATABASE: join(folder, 'bare.sqlite') };
  const server = await start(BASELINE, env);
  await verificationRound(server, sink, body, BARE_REQUESTS);
  const { mainCpu } = await verificationRound(server, sink, body, BARE_REQUESTS);
  await server.stop();
  return mainCpu;
}

function showRounds(symbol: AssetSymbol, own: Round[], bareCpu: number): void {
  const of = (figure: keyof Round) => own.map(each => each[figure]);
  show(
    { what: `${symbol}: ours`, ...medianOf(of('perSecond')), unit: 'transfers/s' },
    { what: `${symbol}: main thread`, ...medianOf(of('mainCpu')), unit: 'µs CPU' },
    {
      what: `${symbol}: main thread against one insert and one POST`,
      value: median(of('mainCpu')) / bareCpu,
      unit: '×',
      budget: { atMost: MAX_TIMES_BARE[symbol] },
    },
    { what: `${symbol}: other threads and processes`, ...medianOf(of('otherCpu')), unit: 'µs CPU' },
    { what: `${symbol}: client and tested VASP`, ...medianOf(of('clientCpu')), unit: 'µs CPU' },
  );
}

async function round(bench: Bench, symbol: AssetSymbol): Promise<Round> {
  const { api, server, user } = bench;
  await receive(bench, symbol);
  const recipients = Array.from({ length: COUNT }, () => freshAddress(symbol));
  const uuids = await Promise.all(recipients.map(to => verified(bench, symbol, to)));
  const orders = uuids.map(verificationUuid => JSON.stringify({ verificationUuid, omitTxReport: false }));
  const ledger = ledgerOf({ url: server.url, info: await api.info() }, symbol);
  const before = await ledger.sent(user.accounts[symbol]);
  if (symbol === 'XRP') await nextClose(api);
  const cpuBefore = cpuOf(server.pid);
  const clientBefore = process.cpuUsage();
  const startedAt = performance.now();
  await postAll(`${server.url}${WITHDRAWAL}`, orders, CONNECTIONS);
  await allConfirmed(api);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = spent(cpuBefore, cpuOf(server.pid));
  const { user: clientUser, system } = process.cpuUsage(clientBefore);
  for (const to of recipients)
    if ((await ledger.balanceOf(to)) !== AMOUNT) throw new Error(`${to} was not paid exactly once`);
  const sent = (await ledger.sent(user.accounts[symbol])) - before;
  if (sent !== COUNT) throw new Error(`${sent} transactions for ${COUNT} transfers`);
  return {
    perSecond: COUNT / seconds,
    mainCpu: cpu.main / COUNT,
    otherCpu: (cpu.threads + cpu.children) / COUNT,
    clientCpu: (clientUser + system) / COUNT,
  };
}

/** One listing answers for all transfers: a query for each would cost more than the transfers. */
async function allConfirmed(api: Client): Promise<void> {
  for (const status of UNFINISHED)
    await until(async () => (await api.transfers({ status, limit: 1 })).transfers.length === 0, POLL_MS);
}

/** A round begins just after a close; otherwise the wait for the first one varies by a whole interval. */
async function nextClose(api: Client): Promise<void> {
  const head = async () => (await api.info()).chains.find(chain => chain.symbol === 'XRP')!.head;
  const before = await head();
  await until(async () => (await head()) !== before, POLL_MS);
}

/** One deposit pays for all transfers of a round. */
async function receive({ api, vasp, server, user, robotVaspId }: Bench, symbol: AssetSymbol): Promise<void> {
  const amount = String(Number(AMOUNT) * COUNT);
  const to = user.accounts[symbol];
  const wallet = await openWallet(symbol, devnetAt(symbol, server.url));
  try {
    await api.faucet(symbol, wallet.address, String(Number(amount) + 10));
    const request = userRequest({ robotVaspId, user, symbol, amount, from: wallet.address });
    const { verificationUuid } = await api.verifyUser(request);
    await vasp.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
    await api.reportTransaction(verificationUuid, await wallet.pay(to, amount));
    await until(async () => {
      await api.advance('0s');
      const { payments: deposits } = await api.receivedPayments();
      return deposits.some(each => each.verificationUuid === verificationUuid);
    });
  } finally {
    await wallet.close();
  }
}

async function verified({ api, vaspId, user }: Bench, symbol: AssetSymbol, to: string): Promise<string> {
  const { verificationUuid } = await api.robotVerifyUser(
    robotUserRequest({ vaspId, user, symbol, amount: AMOUNT, to }),
  );
  await until(async () => (await api.verification(verificationUuid)).result === 'VERIFIED');
  return verificationUuid;
}
