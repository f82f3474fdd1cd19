import { Connection } from 'xrpl/dist/npm/client/connection.js';
import { accountProblem, splitAddress } from '../contract/assets.ts';
import { interval } from '../kernel/clock.ts';
import { USER_AGENT } from '../kernel/program.ts';
import { withoutCredentials } from '../kernel/secrets.ts';
import { shareNext } from '../kernel/turns.ts';
import type { Chain, ChainAddress, Head } from './port.ts';
import { checkNetwork, xrplConnection } from './xrpl/connection.ts';
import { readIncoming } from './xrpl/incoming.ts';
import { beginningOf, genesisOf, validatedLedger } from './xrpl/ledgers.ts';
import { xrpForm } from './xrpl/other-forms.ts';
import { type SendingSettings, xrplSending } from './xrpl/sending.ts';
import { lookup, stateOf } from './xrpl/state.ts';
import { xrplWallet } from './xrpl/wallet.ts';

export interface XrplConfig extends SendingSettings {
  /** ws: or wss:. A function is asked before every connection: an embedded ledger may start late, or not at all. */
  url: string | (() => Promise<string>);
  /** As shown to people, e.g. `Ripple (embedded)`. */
  networkName: string;
  /** Of the robot's one account. */
  seed: string;
  /** Wakes the reader in this interval, because a subscription can end without a notice. */
  rereadMs: number;
  /** Limit of every request. */
  timeoutMs: number;
  /** Time between two attempts to open a lost connection. */
  reconnectMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** Deliveries of XRP to one shared address; the destination tag names the user. */
export function xrplChain(config: XrplConfig): Chain {
  const { timeoutMs, reconnectMs } = config;
  const own = xrplWallet(config.seed);
  const calls = new Map<string, number>();
  let seenHead: Head | undefined;
  const connection = xrplConnection({
    create: () => socketTo(config.url, timeoutMs),
    identify: info => checkNetwork(info, config.networkId),
    timeoutMs,
    reconnectMs,
    onCall: command => void calls.set(command, (calls.get(command) ?? 0) + 1),
  });
  const ledger = shareNext(() => validatedLedger(connection));
  return {
    symbol: 'XRP',
    label: config.networkName,
    networkId: config.networkId,
    finality: 'validated ledger',
    connect: connection.check,
    head: async () => {
      seenHead = await ledger();
      return seenHead;
    },
    get seenHead() {
      return seenHead;
    },
    calls,
    // A validated ledger is never replaced.
    onBehalfOf: (_, work) => work(),
    isInChain: async () => true,
    genesis: () => genesisOf(connection),
    beginning: () => beginningOf(connection),
    parseAddress: parseXrpAddress,
    otherForm: xrpForm,
    ownAccount: () => own.address,
    async incoming(cursor, accounts) {
      const { page, head } = await readIncoming(connection, cursor, accounts);
      seenHead = head;
      return page;
    },
    stateOf: (txHash, validity) => stateOf(connection, ledger, txHash, validity),
    lookup: (txHash, account) => lookup(connection, txHash, account),
    onHead(wake) {
      const stops = [connection.onLedger(wake), interval(config.rereadMs, wake)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    ...xrplSending(connection, own, ledger, config),
    close: connection.close,
  };
}

async function socketTo(given: XrplConfig['url'], timeout: number): Promise<Connection> {
  const { url, authorization } = withoutCredentials(typeof given === 'string' ? given : await given());
  return new Connection(url, {
    timeout: NEVER_MS,
    connectionTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS),
    headers: { 'user-agent': USER_AGENT, ...(authorization === undefined ? {} : { authorization }) },
  });
}

/** D-08: exact; `r…` or `r…:tag` with a canonical decimal tag. No X-addresses. */
export function parseXrpAddress(text: string): ChainAddress | undefined {
  if (accountProblem('XRP', text) !== undefined) return undefined;
  const [account, tag] = splitAddress(text);
  return tag === undefined ? { account } : { account, tag: Number(tag) };
}
