import type { Log } from '../../../kernel/log.ts';
import type { BeforeSending, RefusalOf } from '../../access.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../subscriptions.ts';
import type { Json } from './errors.ts';

export interface ServerPort {
  readonly port: string;
  readonly protocol: readonly string[];
}

export interface Dispatcher {
  readonly engine: Engine;
  /** The facts about the process in `server_info`. */
  readonly server: { readonly startedAt: number; readonly ports: readonly ServerPort[] };
  readonly log: Log;
}

export interface Caller {
  readonly admin: boolean;
  /** The connection for events; undefined over JSON-RPC. */
  readonly session: Session | undefined;
  readonly beforeSending: BeforeSending;
  readonly refusalOf: RefusalOf;
}

/** One command for its handler, from WebSocket or JSON-RPC. */
export interface RpcRequest extends Dispatcher, Caller {
  readonly params: Json;
  readonly apiVersion: 1 | 2;
}

export type Handler = (request: RpcRequest) => Json;
