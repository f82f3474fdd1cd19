import { Connection } from 'xrpl/dist/npm/client/connection.js';
import { accountFlaw } from '../contract/account-flaw.ts';
import { withoutCredentials } from '../kernel/credentials.ts';
import { interval } from '../kernel/interval.ts';
import { shareNext } from '../kernel/share-next.ts';
import { USER_AGENT } from '../kernel/version.ts';
import type { Chain, ChainAddress, Head, SignedTransfer, TransferOrder, Validity } from './port.ts';
import { balanceOf, sequenceOf, whyUnpayable } from './xrpl/account.ts';
import { broadcastXrpl } from './xrpl/broadcast.ts';
import { checkNetwork } from './xrpl/check-network.ts';
import { xrplConnection } from './xrpl/connection.ts';
import { readIncoming } from './xrpl/incoming.ts';
import { beginningOf, genesisOf, validatedLedger } from './xrpl/ledgers.ts';
import { xrpForm } from './xrpl/other-forms.ts';
import { invoiceIdOf, outgoing } from './xrpl/outgoing.ts';
import { dropsOf, quoteFee, serverInfo } from './xrpl/server-info.ts';
import { lookup, stateOf } from './xrpl/state.ts';
import { type XrplWallet, type XrpPayment, xrplWallet } from './xrpl/wallet.ts';

export interface XrplConfig {
  /** ws: or wss:. A function is asked before every connection: an embedded ledger may start late, or not at all. */
  url: string | (() => Promise<string>);
  networkId: number;
  /** As shown to people, e.g. `Ripple (embedded)`. */
  networkName: string;
  /** Of the robot's one account. */
  seed: string;
  /** Cap of a transaction's fee, in drops. Default: 2 XRP. */
  maxFeeDrops?: bigint;
  /** A transfer expires this many ledgers after it was signed: 4 to 1,000, default 20. */
  ledgersToLive?: number;
  /** Wakes the reader in this interval, because a subscription can end without a notice. Default: 5 s. */
  rereadMs?: number;
  /** Limit of every request. */
  timeoutMs?: number;
  /** Time between two attempts to open a lost connection. Default: 1 s. */
  reconnectMs?: number;
}

const TIMEOUT_MS = 10_000;
const RECONNECT_MS = 1_000;
const REREAD_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;
const MAX_FEE_DROPS = 2_000_000n;
const LEDGERS_TO_LIVE = 20;
const LEDGERS_TO_LIVE_RANGE = [4, 1_000] as const;
/** Transactions name their network only above this id. */
const LAST_UNNAMED_NETWORK = 1_024;

/** Deliveries of XRP to one shared address; the destination tag names the user. */
export function xrplChain(config: XrplConfig): Chain {
  const timeout = config.timeoutMs ?? TIMEOUT_MS;
  const own = xrplWallet(config.seed);
  const calls = new Map<string, number>();
  let seenHead: Head | undefined;
  const connection = xrplConnection(
    async () => {
      const given = typeof config.url === 'string' ? config.url : await config.url();
      const { url, authorization } = withoutCredentials(given);
      return new Connection(url, {
        timeout: NEVER_MS,
        connectionTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS),
        headers: { 'user-agent': USER_AGENT, ...(authorization === undefined ? {} : { authorization }) },
      });
    },
    info => checkNetwork(info, config.networkId),
    timeout,
    config.reconnectMs ?? RECONNECT_MS,
    command => void calls.set(command, (calls.get(command) ?? 0) + 1),
  );
  const feeCap = config.maxFeeDrops ?? MAX_FEE_DROPS;
  const info = shareNext(() => serverInfo(connection));
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
      const stops = [connection.onLedger(wake), interval(config.rereadMs ?? REREAD_MS, wake)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    balanceOf: account => balanceOf(connection, account),
    nextSequence: account => sequenceOf(connection, account, 'current'),
    finalizedSequence: account => sequenceOf(connection, account, 'validated'),
    findTransactionByNonce: async () => undefined,
    outgoing: (account, fromSequence, after) => outgoing(connection, account, fromSequence, after),
    quoteFee: async (_payment, replaced) => quoteFee(await info(), feeCap, replaced),
    whyUnpayable: to => whyUnpayable(connection, to),
    costOf: dropsOf,
    isFor: ({ reference }, what) => reference === undefined || reference === invoiceIdOf(what),
    async sign(order) {
      const { height } = await ledger();
      const [least, most] = LEDGERS_TO_LIVE_RANGE;
      const live = Math.min(Math.max(config.ledgersToLive ?? LEDGERS_TO_LIVE, least), most);
      return sign(own, config.networkId, order, {
        signedAfter: height,
        lastLedgerSequence: height + live,
      });
    },
    broadcast: bytes => broadcastXrpl(connection, bytes),
    close: connection.close,
  };
}

function sign(
  wallet: XrplWallet,
  networkId: number,
  order: TransferOrder,
  validity: Validity,
): SignedTransfer {
  const { to, sourceTag } = order;
  const payment: XrpPayment = {
    Account: wallet.address,
    Destination: to.account,
    Amount: order.amount.toString(),
    Fee: dropsOf(order.fee).toString(),
    ...(order.reference === undefined ? {} : { InvoiceID: invoiceIdOf(order.reference) }),
    Sequence: order.sequence,
    LastLedgerSequence: validity.lastLedgerSequence,
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
    ...(networkId > LAST_UNNAMED_NETWORK ? { NetworkID: networkId } : {}),
  };
  const { blob: bytes, hash } = wallet.sign(payment);
  return { bytes, hash, validity };
}

/** D-08: exact; `r…` or `r…:tag` with a canonical decimal tag. No X-addresses. */
export function parseXrpAddress(text: string): ChainAddress | undefined {
  if (accountFlaw('XRP', text) !== undefined) return undefined;
  const [account = '', tag] = text.split(':');
  return tag === undefined ? { account } : { account, tag: Number(tag) };
}
