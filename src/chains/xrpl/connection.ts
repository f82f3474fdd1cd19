import type { ServerInfoResponse } from 'xrpl';
import { Connection } from 'xrpl/dist/npm/client/connection.js';
import { later } from '../../kernel/clock.ts';
import { USER_AGENT } from '../../kernel/program.ts';
import { withoutCredentials } from '../../kernel/secrets.ts';
import { ChainRefused, ChainUnreachable, type Fee, FeeTooHigh } from '../port.ts';

export type XrplConnection = ReturnType<typeof xrplConnection>;

export interface ConnectionSettings {
  networkId: number;
  /** ws: or wss:. A function is asked before every connection: an embedded ledger may start late, or not at all. */
  url: string | (() => Promise<string>);
  /** Limit of every request. */
  timeoutMs: number;
  /** Time between two attempts to open a lost connection. */
  reconnectMs: number;
}

/**
 * One connection, opened when it is needed. The library's own reconnecting is not used: it tries once, and neither checks
 * the network nor subscribes again. Here every connection does both before its first command, and is dropped when an answer
 * does not come in time.
 */
export function xrplConnection(settings: ConnectionSettings, onCall: (command: string) => void) {
  const listeners = new Set<() => void>();
  let opened: Promise<Session> | undefined;
  let cancelReconnect: (() => void) | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  const connected = (): Promise<Session> => {
    if (isClosed) return Promise.reject(new ChainUnreachable('the adapter is closed'));
    if (opened) return opened;
    const onEnd = () => {
      if (opened === opening) opened = undefined;
      reconnectLater();
    };
    const opening = open(settings, onEnd, wakeAll);
    opened = opening;
    opening.catch(onEnd);
    return opening;
  };
  function reconnectLater(): void {
    if (cancelReconnect || isClosed) return;
    cancelReconnect = later(settings.reconnectMs, () => {
      cancelReconnect = undefined;
      if (listeners.size > 0 && !opened) connected().then(wakeAll, () => {});
    });
  }

  return {
    /**
     * The `result` of one command, API version 2. Throws `XrplRefusal` for the error codes in `expected`,
     * `ChainUnreachable` for every other failure, and `ChainRefused` for a wrong network.
     */
    async request<T>(command: string, fields: object = {}, expected: readonly string[] = []): Promise<T> {
      const session = await connected();
      onCall(command);
      return (await session.ask(command, fields, expected)) as T;
    },
    /** Connects if needed and checks the network. */
    async check(): Promise<void> {
      checkNetwork(await (await connected()).ask('server_info'), settings.networkId);
    },
    onLedger(wake: () => void): () => void {
      listeners.add(wake);
      connected().catch(() => {});
      return () => void listeners.delete(wake);
    },
    async close() {
      listeners.clear();
      isClosed = true;
      cancelReconnect?.();
      const session = await opened?.catch(() => undefined);
      await session?.drop();
    },
  };
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The longest delay of a timer. */
const NEVER_MS = 2 ** 31 - 1;

type Session = Awaited<ReturnType<typeof open>>;

/**
 * One WebSocket connection, from its opening to its end. The `request` of the library sets no api_version, so `ask` does. Its
 * `timeout` must be long enough that its heartbeat never runs: the heartbeat would reconnect without us. The index of xrpl,
 * with `Client`, is as large as half of the program, so it is not loaded.
 */
async function open(
  { url: given, networkId, timeoutMs }: ConnectionSettings,
  ended: () => void,
  transactionsClosed: () => void,
) {
  const { url, authorization } = withoutCredentials(typeof given === 'string' ? given : await given());
  const socket = new Connection(url, {
    timeout: NEVER_MS,
    connectionTimeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS),
    headers: { 'user-agent': USER_AGENT, ...(authorization === undefined ? {} : { authorization }) },
  });
  socket.on('error', () => {});
  // An empty ledger moves no money.
  socket.on('ledgerClosed', (ledger: { txn_count: number }) => {
    if (ledger.txn_count !== 0) transactionsClosed();
  });
  socket.on('disconnected', () => {
    ended();
    // After the library has set its timer to reconnect: this clears it.
    queueMicrotask(() => void socket.disconnect());
  });
  /** Ends it at once, without waiting for the server. */
  const drop = () => {
    ended();
    const { ws } = socket as unknown as { ws?: { terminate?(): void } | null };
    const ending = socket.disconnect();
    ws?.terminate?.();
    return ending;
  };
  /** Throws `XrplRefusal` where `expected` names the error, `ChainUnreachable` for everything else. */
  async function ask(command: string, fields: object = {}, expected: readonly string[] = []): Promise<unknown> {
    try {
      const request = { command, api_version: 2, ...fields };
      const answer = (await socket.request(request, timeoutMs)) as { result: unknown };
      return answer.result;
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') void drop();
      throw refusalOf(error, expected) ?? unreachable(command, error);
    }
  }
  try {
    await socket.connect().catch(cause => {
      throw unreachable('connect', cause);
    });
    checkNetwork(await ask('server_info'), networkId);
    await ask('subscribe', { streams: ['ledger'] });
    return { ask, drop };
  } catch (error) {
    void drop();
    throw error;
  }
}

/** The server refused a command. */
export class XrplRefusal extends Error {
  override readonly name = 'XrplRefusal';
  /** The whole answer; `error` is the code, e.g. `txnNotFound`. */
  readonly data: RefusalData;
  constructor(data: RefusalData, text: string) {
    super(text);
    this.data = data;
  }
}
interface RefusalData {
  error: string;
  error_message?: string;
  error_exception?: string;
}

function refusalOf(error: unknown, expected: readonly string[]): XrplRefusal | undefined {
  const { name, data } = error as { name?: string; data?: RefusalData };
  if (name !== 'RippledError' || !data || !expected.includes(data.error)) return undefined;
  return new XrplRefusal(data, `${data.error} ${data.error_message ?? data.error_exception ?? ''}`.trim());
}

const unreachable = (command: string, cause: unknown): ChainUnreachable =>
  new ChainUnreachable(`${command}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

type ServerInfo = Partial<ServerInfoResponse['result']['info']>;
type Validated = ServerInfo & Required<Pick<ServerInfo, 'validated_ledger'>>;

const MAIN_NETWORK = 0;

/**
 * Checks that the server belongs to the configured network. Id 0, or no id, is the main network, unless the server
 * stands alone: it validates without peers, proposers and quorum. A server of the main network that lost its peers, or
 * has just started, still has its quorum, or no validated ledger.
 */
function checkNetwork(result: unknown, networkId: number): void {
  const { info } = (result ?? {}) as { info?: ServerInfo };
  if (!info) throw new ChainUnreachable('server_info: an answer without info');
  const found = info.network_id ?? MAIN_NETWORK;
  if (found === MAIN_NETWORK && !standsAlone(info))
    throw new ChainRefused('network id 0 of a server that does not stand alone: the main network');
  if (found !== networkId) throw new ChainRefused(`the server's network id is ${found}, not ${networkId}`);
}

const standsAlone = (info: ServerInfo): boolean =>
  info.peers === 0 &&
  info.last_close?.proposers === 0 &&
  (info.validation_quorum ?? Number.POSITIVE_INFINITY) <= 1 &&
  info.server_state === 'full' &&
  info.validated_ledger !== undefined;

export async function serverInfo(connection: XrplConnection): Promise<Validated> {
  const { info } = await connection.request<{ info?: ServerInfo }>('server_info');
  if (!info?.validated_ledger) throw new ChainUnreachable('the server has no validated ledger');
  return { ...info, validated_ledger: info.validated_ledger };
}

/** The server gives XRP as a number with at most six decimals. */
export const toDrops = (xrp: number): bigint => BigInt(Math.round(xrp * 1_000_000));

const FEE_MARGIN = 1.2;
/** A bid that replaces a queued one must be higher than this multiple of it. */
const REPLACEMENT = 1.25;

/** The base fee under the server's present load, with a margin. */
export function quoteFee({ load_factor = 1, validated_ledger }: Validated, cap: bigint, replaced?: Fee): Fee {
  const market = Math.ceil(Number(toDrops(validated_ledger.base_fee_xrp)) * load_factor * FEE_MARGIN);
  const least = replaced ? Math.floor(Number(dropsOf(replaced)) * REPLACEMENT) + 1 : 0;
  const drops = BigInt(Math.max(market, least));
  if (drops > cap) throw new FeeTooHigh(`the network's fee is ${drops} drops, the cap is ${cap}`);
  return { drops: String(drops) };
}

export function dropsOf({ drops }: Fee): bigint {
  if (!drops) throw new TypeError('not a fee of the XRP Ledger');
  return BigInt(drops);
}
