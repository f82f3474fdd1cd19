import type { XrplLedger } from '../../devnet/xrpl/ledger.ts';
import { TRANSACTION_TYPES } from '../../devnet/xrpl/transaction-types.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { pause } from '../../timers/loop.ts';
import type { Config } from '../config/config.ts';
import { xrplNetwork } from '../config/networks.ts';
import { besideDatabase } from '../storage/files.ts';
import { type Ledger, ledger } from './ledger.ts';

/** Above 1024, so that its transactions are valid on no other network. */
const EMBEDDED_NETWORK_ID = 21_117;
const ROBOT_DROPS = 1_000_000_000n;
const MAX_RECONNECT_MS = 1_000;
const FUNDING_STEP_MS = 10;
/** Runs and tests close the ledger at once. */
const CLOSED_ON_DEMAND = { trackFirstMs: 20 };

export function xrplLedger(config: Config, log: Log) {
  const { xrpl } = config;
  const { networkId = EMBEDDED_NETWORK_ID } = xrpl;
  const open: string[] = [];
  const made: Ledger<XrplLedger> = ledger(config, {
    symbol: 'XRP',
    url: xrpl.url,
    devnetPath: '/devnet/xrpl',
    explorer: xrplNetwork(xrpl.networkId)?.explorer,
    transactionTypes: TRANSACTION_TYPES,
    async chain() {
      const { xrplChain } = await import('../../chains/xrpl.ts');
      return xrplChain({
        url: xrpl.url ?? (async () => (await made.node()!).url!),
        networkId,
        networkName: xrpl.url ? (xrplNetwork(xrpl.networkId)?.name ?? 'XRP Ledger testnet') : 'XRP Ledger (embedded)',
        seed: xrpl.seed,
        maxFeeDrops: BigInt(xrpl.maxFeeDrops),
        timeoutMs: config.chainTimeoutMs,
        reconnectMs: Math.min(MAX_RECONNECT_MS, config.chainRetryMs),
        rereadMs: config.chainRereadMs,
      });
    },
    async start() {
      const { startXrplLedger, XRPL_DEFAULTS } = await import('../../devnet/xrpl/ledger.ts');
      const { xrplWallet: ownAccount } = await import('../../chains/xrpl/wallet.ts');
      const path = besideDatabase(config, '.xrpl.sqlite');
      const started = await startXrplLedger({
        databasePath: path ?? ':memory:',
        networkId,
        closeIntervalMs: xrpl.closeIntervalMs,
        fees: XRPL_DEFAULTS.fees,
        // The account must exist before it can receive less than the reserve.
        endowed: new Map([[ownAccount(xrpl.seed).address, ROBOT_DROPS]]),
        ...(xrpl.faucetSeed ? { faucetSeed: xrpl.faucetSeed } : {}),
        clock: systemClock,
        log: log.child({ chain: 'XRP' }),
        listen: { host: '127.0.0.1', port: 0 },
      });
      if (path !== undefined) open.push(path);
      return started;
    },
    paying: { embedded: CLOSED_ON_DEMAND },
    prepare: (node, chain) => fundRobot(node, chain.ownAccount(0)),
    fund: (node, account, units) => node.fund(account, units),
    async pay(node, account, tag, units, { fails, delivered, before } = {}) {
      node.requireClosing();
      if (fails) return node.failToFund(account, units, tag, before);
      if (delivered !== undefined) return node.payInPart(account, units, delivered, tag, before);
      return node.fund(account, units, tag, before);
    },
  });
  /** Paths of the databases that it has open. A ledger may move its file away before. */
  return { ...made, openDatabases: () => open };
}

/**
 * Creates the robot's account on a ledger that began with another seed. Closes ledgers itself meanwhile, so that
 * readiness does not wait for the close interval.
 */
async function fundRobot(node: XrplLedger, account: string): Promise<void> {
  if (await exists(node, account)) return;
  let isDone = false;
  const funded = node
    .fund(account, ROBOT_DROPS)
    .catch(error => {
      throw error.message === 'terNO_ACCOUNT' ? new Error(OF_ANOTHER_DATABASE) : error;
    })
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    await Promise.race([funded, pause(FUNDING_STEP_MS)]);
    if (!isDone) node.controls.close();
  }
}

const OF_ANOTHER_DATABASE =
  'the ledger beside the database belongs to another database, which had the keys of its coins. Restore that database, or make a new ledger: POST /sandbox/v1/chains/XRP/start-over';

async function exists(node: XrplLedger, account: string): Promise<boolean> {
  const call = { method: 'account_info', params: [{ account, ledger_index: 'validated' }] };
  const request = new Request('http://localhost/', { method: 'POST', body: JSON.stringify(call) });
  const answer = await node.handleRequest(request, { remoteAddress: undefined });
  return ((await answer.json()) as { result: { status: string } }).result.status === 'success';
}
