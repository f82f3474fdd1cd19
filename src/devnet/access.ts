import { later } from '../kernel/clock.ts';
import { atOnce, type Turns } from '../kernel/turns.ts';

/** A failure of the node that the caller has ordered for one of its calls. */
type RpcFault =
  | { readonly mode: 'delay'; readonly delayMs: number }
  | { readonly mode: 'drop' | 'never-answer' }
  | { readonly mode: 'error'; readonly code?: string | undefined; readonly message?: string | undefined };

export type RpcRefused = Extract<RpcFault, { mode: 'error' }>;

/** The connection is closed without an answer. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A client has given up long before. */
const LONGEST_SILENCE_MS = 120_000;

const pause = (ms: number): Promise<void> => new Promise(resolve => void later(ms, resolve));

/** Called once for each call. The error that it is answered with; undefined: it is served. */
export type RefusalOf = (method: string) => RpcRefused | undefined;

/** Answers a request. The fault of each call hits it; what concerns the answer happens when all are served. Throws `ConnectionLost`. */
export async function withFaults<T>(
  faultOn: (method: string) => RpcFault | undefined,
  serve: (refusalOf: RefusalOf) => T | Promise<T>,
): Promise<T> {
  const ofAnswer: Exclude<RpcFault, RpcRefused>[] = [];
  const answer = await serve(method => {
    const fault = faultOn(method);
    if (fault?.mode === 'error') return fault;
    if (fault) ofAnswer.push(fault);
    return undefined;
  });
  for (const fault of ofAnswer) {
    if (fault.mode === 'delay') await pause(fault.delayMs);
    if (fault.mode === 'never-answer') await pause(LONGEST_SILENCE_MS);
    if (fault.mode !== 'delay') throw new ConnectionLost();
  }
  return answer;
}

/** Strangers share an embedded chain: they read, and send what they have signed. The tester of the local mode does more. */
export type DevnetAccess = 'everything' | 'reading and sending';

export const mapAccess = <T>(make: (access: DevnetAccess) => T): Record<DevnetAccess, T> => ({
  everything: make('everything'),
  'reading and sending': make('reading and sending'),
});

/**
 * Most bytes of a JSON-RPC body or frame to the Ethereum chain. The largest transaction that nodes accept has six blobs of
 * 128 KiB with the proofs of their cells, twice as long in hex. Strangers share the node: they send no blobs.
 */
export const MAX_RPC_BYTES: Readonly<Record<DevnetAccess, number>> = {
  everything: 2 * 1024 * 1024,
  'reading and sending': 256 * 1024,
};

export interface DevnetCaller {
  readonly access: DevnetAccess;
  /** Callers of one owner share their turns at the node. */
  readonly owner: string;
  /** Of its frames, and of the calls of its batches. */
  readonly turns: Turns;
  readonly beforeSending: BeforeSending;
  /** Undefined: the call is served. */
  faultOn(symbol: 'ETH' | 'XRP', method: string): RpcFault | undefined;
}

/** Called before a transaction of this gas limit and length is sent. Throws the sentence that refuses it. */
export type BeforeSending = (transaction: Sending) => void;
export interface Sending {
  symbol: 'ETH' | 'XRP';
  /** As the nodes print it. */
  hash: string;
  gas: number;
  bytes: number;
  /** Of an EscrowFinish, which anybody may send: the EscrowCreate that has locked the money. */
  finishes?: string | undefined;
}

export const TESTER: DevnetCaller = {
  access: 'everything',
  owner: '',
  turns: atOnce,
  beforeSending() {},
  faultOn: () => undefined,
};

/** An embedded chain refused a payment of its faucet. The message is the chain's own code or text. */
export class FaucetRefusal extends Error {
  override readonly name: string = 'FaucetRefusal';
}

/** Not the payment is wrong: the ledger takes none now. */
export class FaucetClosed extends FaucetRefusal {
  override readonly name = 'FaucetClosed';
}
