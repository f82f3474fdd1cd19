import type { Engine } from '../engine.ts';
import type { Session } from '../subscriptions.ts';
import type { Json } from './errors.ts';

/** One command for its handler, from WebSocket or JSON-RPC. */
export interface RpcRequest {
  readonly engine: Engine;
  readonly params: Json;
  readonly apiVersion: 1 | 2;
  readonly admin: boolean;
  /** The connection for events; undefined over JSON-RPC. */
  readonly session: Session | undefined;
  readonly server: ServerFacts;
}

/** What `server_info` reports about the process. */
export interface ServerFacts {
  readonly startedAt: number;
  readonly hostId: string;
  readonly ports: readonly { port: string; protocol: readonly string[] }[];
}

export type Handler = (request: RpcRequest) => Json;
