import type { ListQuery, ListResponse } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { EnclaveDeps } from '../deps.ts';
import { present } from './present.ts';

/** WIRE-2.5, D-04: newest first. */
export function list(
  deps: Pick<EnclaveDeps, 'verifications'>,
  query: ListQuery,
  caller: CallerId,
): ListResponse {
  const { count, rows } = deps.verifications.page(query, caller);
  return { count, page: query.page, rpp: query.rpp, verifications: rows.map(present) };
}
