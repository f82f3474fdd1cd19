import { InvalidTransaction } from '../parse-transaction.ts';
import { type Json, RpcError, rpcError } from './errors.ts';
import { SECRET_FIELDS } from './key-pair.ts';
import { COMMANDS } from './registry.ts';
import type { Caller, Dispatcher } from './request.ts';

/** The result of a command, or its error as an `error` field. Never throws. */
export function dispatch(to: Dispatcher, command: string, params: Json, caller: Caller): Json {
  try {
    const handler = COMMANDS.get(command);
    if (!handler) throw rpcError('unknownCmd');
    const apiVersion = params.api_version === 2 ? 2 : 1;
    return handler({ ...to, ...caller, params, apiVersion });
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
  const hidden = SECRET_FIELDS.filter(field => request[field] !== undefined);
  return { ...request, ...Object.fromEntries(hidden.map(field => [field, '<masked>'])) };
}
