import { atOnce, type Turns } from '../kernel/turns.ts';
import type { RpcFault } from './rpc-fault.ts';

/** Strangers share an embedded chain: they read, and send what they have signed. The tester of the local mode does more. */
export type DevnetAccess = 'everything' | 'reading and sending';

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
