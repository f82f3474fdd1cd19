import { RpcRefusal, RpcUnreachable } from '../../kernel/json-rpc.ts';
import { ChainUnreachable } from '../port.ts';

/** A gateway that does not offer a method may answer one of these, with a page of text. */
const BARRED = new Set([400, 401, 403, 404, 405, 501]);

/** The answer to a call of a method that not every node offers. Undefined: this one refuses. Throws `ChainUnreachable`. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcRefusal || isBarred(error)) return undefined;
    throw error;
  }
}

function isBarred(error: unknown): boolean {
  const cause = error instanceof ChainUnreachable ? error.cause : undefined;
  return cause instanceof RpcUnreachable && BARRED.has(cause.httpStatus ?? 0);
}
