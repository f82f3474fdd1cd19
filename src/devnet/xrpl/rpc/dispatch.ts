import type { Log } from '../../../kernel/log.ts';
import type { BeforeSending } from '../../access.ts';
import type { Engine } from '../engine.ts';
import { InvalidTransaction } from '../parse-transaction.ts';
import type { Session } from '../subscriptions.ts';
import { type Json, RpcError, rpcError } from './errors.ts';
import { SECRET_FIELDS } from './key-pair.ts';
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
  readonly beforeSending: BeforeSending;
}

/** The result of a command, or its error as an `error` field. Never throws. */
export function dispatch(to: Dispatcher, command: string, params: Json, caller: Caller): Json {
  try {
    const handler = COMMANDS.get(command);
    if (!handler) throw rpcError('unknownCmd');
    const apiVersion = params.api_version === 2 ? 2 : 1;
    return handler({ engine: to.engine, params, apiVersion, server: to.server, ...caller });
  } catch (error) {
    if (error instanceof RpcError) return error.body;
    if (error instanceof InvalidTransaction)
      return { error: 'invalidTransaction', error_exception: error.message };
    to.log.error({ command, err: String(error) }, 'xrpl: command failed');
    return rpcError('internal').body;
  }
}

/** API versions 1 and 2; version 1 is the default (XRPL-1.1). */
export const hasGoodVersion = (params: Json): boolean =>
  params.api_version === undefined || params.api_version === 1 || params.api_version === 2;

/** The request as errors echo it: secrets are masked. */
export function echo(request: Json): Json {
  const hidden = SECRET_FIELDS.filter(field => request[field] !== undefined).map(field => [
    field,
    '<masked>',
  ]);
  return { ...request, ...Object.fromEntries(hidden) };
}
