import { refusals } from '../../contract/refusals.ts';
import { networkOf } from '../../http/proxies.ts';
import { hashOf } from '../../kernel/secrets.ts';
import type { TenantsDeps } from '../deps.ts';
import type { Invitation } from './store.ts';
import * as invitations from './store.ts';

/** Wrong invitations from one address. */
const WRONG = { burst: 100, perSecond: 1 };

/** Throws `Refusal` unauthorized, rate-limited. */
export function requireInvitation(deps: TenantsDeps, token: string, address: string): Invitation {
  const found = invitations.findUnused(deps.db, hashOf(token));
  if (found && found.expiresAt > deps.now()) return found;
  const { ok, resetS } = deps.strangers.take(`${networkOf(address)} wrong`, WRONG.perSecond, WRONG.burst);
  if (!ok) throw refusals.rateLimited(resetS);
  throw refusals.unauthorized('The invitation is unknown, expired or used already.');
}
