import type { Engine } from '../engine.ts';
import type { Session } from '../subscriptions.ts';
import type { Json } from './errors.ts';

/** One command as it reaches its handler, whatever way it came. */
export interface RpcRequest {
  readonly engine: Engine;
  readonly params: Json;
  readonly apiVersion: 1 | 2;
  readonly admin: boolean;
  /** The connection to send events to; none over JSON-RPC. */
  readonly session: Session | undefined;
  readonly server: ServerFacts;
}

/** What the server says of itself. */
export interface ServerFacts {
  readonly startedAt: number;
  readonly hostId: string;
  readonly ports: readonly { port: string; protocol: readonly string[] }[];
}

export type Handler = (request: RpcRequest) => Json;
