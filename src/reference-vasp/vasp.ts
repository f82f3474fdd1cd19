import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { type Client, client, Refused } from '../client/client.ts';
import { ASSETS, type AssetSymbol, splitAddress } from '../contract/assets.ts';
import { toUnits } from '../kernel/decimal.ts';
import { useNoProxyForLoopback } from '../kernel/hosts.ts';
import { type Log, silentLog } from '../kernel/log.ts';
import { systemRandom } from '../kernel/random.ts';
import { pause } from '../timers/loop.ts';
import { CUSTOMERS, customersOf, type Ledgers } from './customers.ts';
import { awaitDeposit, deposits } from './deposits.ts';
import type { VaspDeps, Waits } from './deps.ts';
import { ethereumLedger } from './ledgers/ethereum.ts';
import type { Ledger } from './ledgers/port.ts';
import { xrplLedger } from './ledgers/xrpl.ts';
import { endpointsOf, vaspRoutes } from './routes.ts';
import * as books from './store.ts';
import { createTasks, followSandbox, keepAddress, kept, openStore, type Store } from './store.ts';
import { isOver, resumeWithdrawal, withdrawals } from './withdrawals.ts';

export type Send = (request: Request) => Promise<Response> | Response;

export interface ReferenceVaspOptions {
  /** Of the enclave. */
  url: string;
  /** Of the robot with its ledgers. Default: the same. */
  robotUrl?: string;
  apiKey?: string | undefined;
  /** Nodes of chains given by URL. Default: what the sandbox tells, which is without the path. */
  nodes?: Partial<Record<AssetSymbol, string | undefined>>;
  /** Default: in memory. */
  databasePath?: string;
  /** Default: any free port of 127.0.0.1. */
  port?: number;
  waits?: Partial<Waits>;
  log?: Log;
  /** The boundary between the VASP and the world. Tests replace it to make the VASP break one rule. */
  boundary?: Boundary;
}

export interface Boundary {
  /** Requests to the VASP. */
  serving?(next: Send): Send;
  /** Requests of the VASP to its enclave. */
  asking?(next: Send): Send;
  paying?(ledger: Ledger): Ledger;
}

const DEFAULT_WAITS: Waits = { inquiryMs: 100, inquiryIntervalMs: 250, inquiryWindowMs: 3_600_000, retryMs: 50 };
const ANSWER_WITHIN_MS = 10_000;

export type ReferenceVasp = Awaited<ReturnType<typeof startReferenceVasp>>;

/** A correct VASP, in the role of the tested one. */
export async function startReferenceVasp(options: ReferenceVaspOptions) {
  const { url, boundary = {}, log = silentLog } = options;
  const store = openStore(options.databasePath ?? ':memory:');
  useNoProxyForLoopback();
  const send: Send = request => fetch(request, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const isSplit = options.robotUrl !== undefined && options.robotUrl !== url;
  const robotKey = isSplit ? undefined : options.apiKey;
  const api = client(options.robotUrl ?? url, { apiKey: robotKey, send });
  const ledgers = await openLedgers(options, api, robotKey, store);
  const waits = { ...DEFAULT_WAITS, ...options.waits };
  const tasks = createTasks(waits.retryMs, log);
  const clock = await followSandbox(client(url, { apiKey: options.apiKey, send }), tasks.lookAgain);
  const stopping = new AbortController();
  const deps: VaspDeps = {
    enclave: client(url, { apiKey: options.apiKey, send: boundary.asking?.(send) ?? send }),
    ledgers,
    customers: customersOf(ledgers),
    store,
    tasks,
    clock,
    random: systemRandom,
    log,
    waits,
    funded: Promise.resolve(),
    fund: async (symbol, customer) => {
      await paidByFaucet(ledgers[symbol], customer, { api, signal: stopping.signal });
    },
  };
  openAccounts(deps);
  const token = kept(store, 'token', systemRandom.secret);
  const routes = vaspRoutes(deps, token);
  const serving: Send = request => routes.fetch(request);
  const close = async () => {
    clock.stop();
    await Promise.all(Object.values(ledgers).map(ledger => ledger.close()));
    store.close();
  };
  const server = await listenOn(boundary.serving?.(serving) ?? serving, options.port ?? 0).catch(async error => {
    await close();
    throw error;
  });
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  keepAddress(store, base);
  deps.funded = fund(deps, api, stopping.signal);
  deps.funded.catch(err => log.warn({ err }, 'the accounts have no money'));
  resume(deps);
  return {
    url: base,
    token,
    customers: deps.customers,
    endpoints: endpointsOf(base),
    /** Resolves when its accounts have money. */
    funded: deps.funded,
    async stop(): Promise<void> {
      stopping.abort();
      await closed(server);
      await deps.tasks.stop();
      await deps.funded.catch(() => {});
      await close();
    },
  };
}

/** The XRP Ledger does not answer: the reason, without its address. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

/** An enclave without a robot has no ledgers. */
export class LedgerMissing extends Error {
  override readonly name = 'LedgerMissing';
}

async function openLedgers(
  { boundary: { paying = (ledger: Ledger) => ledger } = {}, nodes = {} }: ReferenceVaspOptions,
  api: Client,
  apiKey: string | undefined,
  store: Store,
): Promise<Ledgers> {
  const secret = kept(store, 'secret', systemRandom.secret);
  const { chains } = await api.info();
  const isEmbedded = (symbol: AssetSymbol) => chains.some(chain => chain.symbol === symbol && chain.embedded);
  const nodeOf = (symbol: AssetSymbol): string => {
    const url = nodes[symbol] ?? chains.find(chain => chain.symbol === symbol)?.url;
    if (url === undefined) throw new LedgerMissing(`This sandbox has no ${symbol} ledger.`);
    return url;
  };
  // A chain client has no headers for the key.
  const query = apiKey === undefined ? '' : `?key=${encodeURIComponent(apiKey)}`;
  const urlOf = (symbol: AssetSymbol, devnet: string) => (isEmbedded(symbol) ? devnet + query : nodeOf(symbol));
  const ETH = ethereumLedger(urlOf('ETH', `${api.url}/devnet/ethereum`), secret, isEmbedded('ETH') ? 1 : 3);
  const xrplUrl = urlOf('XRP', `${api.url.replace(/^http/, 'ws')}/devnet/xrpl`);
  const XRP = await xrplLedger(xrplUrl, secret).catch(error => {
    throw new NodeUnreachable(error.message);
  });
  return { ETH: paying(ETH), XRP: paying(XRP) };
}

/** The first balance of each customer, in whole coins. The faucet gives that for all of them in a day, also to a trial. */
const OPENING: Record<AssetSymbol, string> = { ETH: '2', XRP: '200' };

function openAccounts({ store, customers }: VaspDeps): void {
  for (const { id } of customers.customers)
    for (const [symbol, { decimals }] of Object.entries(ASSETS))
      books.book(store, {
        key: `opening ${id} ${symbol}`,
        customer: id,
        symbol,
        units: toUnits(OPENING[symbol as AssetSymbol], decimals),
      });
}

/** On embedded ledgers the faucet pays an account that has nothing. On others a person does. */
async function fund({ ledgers, customers, log }: VaspDeps, api: Client, signal: AbortSignal): Promise<void> {
  const pay = async (ledger: Ledger, index: number) => {
    if (await paidByFaucet(ledger, index, { api, signal })) return;
    const [address] = splitAddress(ledger.accountOf(index));
    log.warn({ symbol: ledger.symbol, address }, 'this account needs money');
  };
  await Promise.all([...customers.customers.map((_, index) => pay(ledgers.ETH, index)), pay(ledgers.XRP, 0)]);
}

/** False: it has nothing, and nobody gives it anything. */
async function paidByFaucet(
  ledger: Ledger,
  customer: number,
  { api, signal }: { api: Client; signal: AbortSignal },
): Promise<boolean> {
  const { symbol } = ledger;
  if ((await ledger.balanceOf(customer)) > 0n) return true;
  const { chains } = await api.info();
  if (!chains.find(chain => chain.symbol === symbol)?.embedded) return false;
  const [address] = splitAddress(ledger.accountOf(customer));
  // All customers share the account of the XRP Ledger.
  const amount = symbol === 'XRP' ? String(Number(OPENING.XRP) * CUSTOMERS.length) : OPENING.ETH;
  await givenByFaucet(() => api.faucet(symbol, address, amount), signal);
  return true;
}

const FAUCET_TRIES = 30;
const FAUCET_PAUSE_MS = 1_000;

/** The faucet refuses while a run of another VASP holds the ledger, and is late on a busy machine. */
async function givenByFaucet(ask: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return void (await ask());
    } catch (error) {
      const isHeld = error instanceof Refused && error.code === 'CHAIN-REFUSED';
      const isLate = (error as Error).name === 'TimeoutError';
      if (!(isHeld || isLate) || tries === FAUCET_TRIES) throw error;
      await pause(FAUCET_PAUSE_MS, signal);
    }
}

/** Goes on with what was not finished when the process ended. */
function resume(deps: VaspDeps): void {
  for (const { id, state } of withdrawals.all(deps.store)) if (!isOver(state)) resumeWithdrawal(deps, id);
  for (const { uuid, state } of deposits.all(deps.store)) if (state === 'OPEN') awaitDeposit(deps, uuid);
}

async function listenOn(handle: Send, port: number): Promise<Server> {
  const server = serve({ fetch: handle, port, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  const done = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await done;
}
