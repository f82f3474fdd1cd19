import { AMENDMENTS, type Amendment } from '../amendments.ts';
import { definitions } from '../definitions.ts';
import { parseHash } from '../hash.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

/** `server_definitions`: only the hash for a client that already has them. */
export function serverDefinitions({ params: { hash } }: RpcRequest): Json {
  if (hash !== undefined && !parseHash(hash)) throw invalidField('hash');
  return parseHash(hash) === definitions.hash ? { hash: definitions.hash } : { ...definitions };
}

/** The amendments. All of them are enabled, and nobody votes here. */
export function feature({ params, admin }: RpcRequest): Json {
  const { feature: asked, vetoed } = params;
  if (asked === undefined) return { features: Object.fromEntries(AMENDMENTS.map(described)) };
  if (typeof asked !== 'string') throw rpcError('invalidParams');
  const found = AMENDMENTS.find(({ id, name }) => name === asked || id === parseHash(asked));
  if (!found) throw rpcError('badFeature');
  if (vetoed !== undefined && !admin) throw rpcError('noPermission');
  return Object.fromEntries([described(found)]);
}

const described = ({ id, name }: Amendment): [string, Json] => [id, { enabled: true, name, supported: true }];
