import { Client, ECDSA, isValidClassicAddress, Wallet } from 'xrpl';
import type { Chain, ChainAddress } from './port.ts';
import { xrplConnection } from './xrpl/connection.ts';
import { checkNetwork } from './xrpl/identity.ts';
import { genesisOf, validatedLedger } from './xrpl/ledgers.ts';
import { scan } from './xrpl/scan.ts';
import { stateOf } from './xrpl/state.ts';

export interface XrplConfig {
  /** ws: or wss: */
  url: string;
  networkId: number;
  /** As shown to people, e.g. `Ripple (embedded)`. */
  networkName: string;
  /** Of the robot's one account. `sEd…` is an Ed25519 seed, any other `s…` a secp256k1 one. */
  seed: string;
  /** Limit of every request. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_TAG = 4_294_967_295;

/** Payments of XRP to one shared address; whom they are for is told by the destination tag. */
export function xrplChain(config: XrplConfig): Chain {
  const timeout = config.timeoutMs ?? TIMEOUT_MS;
  const wallet = walletOf(config.seed);
  const connection = xrplConnection(
    () => new Client(config.url, { timeout, connectionTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS) }),
    info => checkNetwork(info, config.networkId),
  );
  return {
    symbol: 'XRP',
    label: config.networkName,
    networkId: config.networkId,
    connect: connection.check,
    head: () => validatedLedger(connection),
    genesis: () => genesisOf(connection),
    parseAddress: parseXrpAddress,
    ownAccount: () => wallet.classicAddress,
    incoming: (cursor, accounts) => scan(connection, cursor, accounts),
    stateOf: txHash => stateOf(connection, txHash),
    onHead: connection.onLedger,
    close: connection.close,
  };
}

function walletOf(seed: string): Wallet {
  const algorithm = seed.startsWith('sEd') ? ECDSA.ed25519 : ECDSA.secp256k1;
  return Wallet.fromSeed(seed, { algorithm });
}

/** D-08: exact; `r…` or `r…:tag` with a canonical decimal tag. No X-addresses. */
export function parseXrpAddress(text: string): ChainAddress | undefined {
  const [account = '', tag, ...more] = text.split(':');
  if (more.length > 0 || !isValidClassicAddress(account)) return undefined;
  if (tag === undefined) return { account };
  if (!/^(0|[1-9]\d{0,9})$/.test(tag) || Number(tag) > MAX_TAG) return undefined;
  return { account, tag: Number(tag) };
}
