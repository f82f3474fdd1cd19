import type { BeforeSending } from '../../access.ts';
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
  readonly beforeSending: BeforeSending;
}

export interface ServerPort {
  readonly port: string;
  readonly protocol: readonly string[];
}

/** The facts about the process in `server_info`. */
export interface ServerFacts {
  readonly startedAt: number;
  /** It signs with secrets of admins. */
  readonly signs: boolean;
  readonly ports: readonly ServerPort[];
}

export type Handler = (request: RpcRequest) => Json;
