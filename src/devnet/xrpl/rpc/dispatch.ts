import type { Log } from '../../../kernel/log.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../subscriptions.ts';
import { type Json, RpcError, rpcError } from './errors.ts';
import { COMMANDS } from './registry.ts';
import type { ServerFacts } from './request.ts';

export interface Dispatcher {
  readonly engine: Engine;
  readonly server: ServerFacts;
  readonly log: Log;
}

export interface Caller {
  readonly admin: boolean;
  readonly session: Session | undefined;
}

/** The result of a command; with an `error` in it where it failed. Never throws. */
export function dispatch(to: Dispatcher, command: string, params: Json, caller: Caller): Json {
  try {
    const handler = COMMANDS.get(command);
    if (!handler) throw rpcError('unknownCmd');
    const apiVersion = params.api_version === 2 ? 2 : 1;
    return handler({ engine: to.engine, params, apiVersion, server: to.server, ...caller });
  } catch (error) {
    if (error instanceof RpcError) return error.body;
    to.log.error({ command, err: String(error) }, 'xrpl: a command failed');
    return rpcError('internal').body;
  }
}

/** API versions 1 and 2; a request that states none is held to be of version 1 (XRPL-1.1). */
export const hasGoodVersion = (params: Json): boolean =>
  params.api_version === undefined || params.api_version === 1 || params.api_version === 2;

const SECRETS = ['passphrase', 'secret', 'seed', 'seed_hex'];

/** A request as it is echoed in an error: without what must not be repeated. */
export function echo(request: Json): Json {
  const hidden = SECRETS.filter(field => request[field] !== undefined).map(field => [field, '<masked>']);
  return { ...request, ...Object.fromEntries(hidden) };
}
