import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import { networkOf } from '../../http/proxies.ts';
import { hashOf } from '../../kernel/secret-hash.ts';
import { saveRegistration } from '../../sandbox/vasps/register.ts';
import type { TenantsDeps } from '../deps.ts';
import type { Invitation } from '../invitations/store.ts';
import { addKey } from '../keys/change.ts';
import { REGISTRATIONS } from '../paths.ts';
import type { rateLimit } from '../rate-limit.ts';
import type { RegistrationRequest } from './schema.ts';

/** Wrong invitations from one address. */
const WRONG = { most: 100, perSecond: 1 };

interface Visitor {
  address: string;
  /** Of registrations without an invitation. */
  limit: ReturnType<typeof rateLimit>;
}

/** Throws `Refusal` forbidden, missing-field, unauthorized, already-registered, rate-limited. */
export function register(
  deps: TenantsDeps,
  { invitation: token, vaspId: chosen, ...request }: z.output<typeof RegistrationRequest>,
  { address, limit }: Visitor,
) {
  const invitation = acceptable(deps, token, { address, limit });
  if (!invitation) requireRate(deps, address, limit);
  if (chosen !== undefined && isTaken(deps, chosen)) throw refusals.alreadyRegistered(chosen);
  const vaspId = chosen ?? freeId(deps);
  const registered = write(deps.db, tx => {
    const now = deps.now();
    saveRegistration(deps.sandbox, vaspId, request);
    deps.tenants.insert(tx, vaspId, now);
    if (invitation) deps.invitations.use(tx, invitation.id, vaspId, now);
    const { apiKey } = addKey(deps, tx, { vaspId, name: 'first key', scope: 'full', expiresAt: null });
    return { vaspId, apiKey, signingSecret: deps.sandbox.enclave.rollSigningSecret(vaspId, 0) };
  });
  deps.audit.add({
    at: deps.now(),
    role: 'nobody',
    vaspId,
    key: null,
    address,
    action: `POST ${REGISTRATIONS}`,
    target: vaspId,
    outcome: 201,
  });
  return registered;
}

/** The invitation of the token. Undefined: none is needed. */
function acceptable(
  deps: TenantsDeps,
  token: string | undefined,
  { address, limit }: Visitor,
): Invitation | undefined {
  const { registration } = deps.settings;
  if (registration === 'closed') throw refusals.forbidden('Nobody can register in this sandbox now.');
  if (token === undefined) {
    if (registration === 'open') return undefined;
    throw refusals.missingField('invitation');
  }
  const found = deps.invitations.findUnused(hashOf(token));
  if (found && found.expiresAt > deps.now()) return found;
  const { ok, resetS } = limit.take(`${networkOf(address)} wrong`, WRONG.perSecond, WRONG.most);
  if (!ok) throw refusals.rateLimited(resetS);
  throw refusals.unauthorized('The invitation is unknown, expired or used already.');
}

function requireRate(deps: TenantsDeps, address: string, limit: Visitor['limit']): void {
  const perHour = deps.settings.quotas.registrationsPerHour;
  const { ok, resetS } = limit.take(networkOf(address), perHour / 3_600, perHour);
  if (!ok) throw refusals.rateLimited(resetS);
}

/** An id is taken once and for ever. */
const isTaken = ({ tenants, sandbox }: TenantsDeps, vaspId: string): boolean =>
  tenants.find(vaspId) !== undefined || sandbox.enclave.findVasp(vaspId) !== undefined;

function freeId(deps: TenantsDeps): string {
  for (;;) {
    const id = Buffer.from(deps.random.secret(8), 'base64url').readBigUInt64BE().toString();
    if (!isTaken(deps, id)) return id;
  }
}
