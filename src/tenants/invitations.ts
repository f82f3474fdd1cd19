import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { named, shownName } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { write } from '../db/transaction.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { networkOf } from '../http/proxies.ts';
import { toIso } from '../kernel/clock.ts';
import { hashOf } from '../kernel/secrets.ts';
import { duration } from '../sandbox/parameters.ts';
import type { TenantsDeps } from './deps.ts';
import type { Invitation } from './invitation-store.ts';
import * as invitations from './invitation-store.ts';

export const invitationEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(invitationCalls.invitations, {
    access: 'operator',
    summary: 'List the invitations that nobody has accepted',
    run: () => listInvitations(deps),
  }),
  control(invitationCalls.invite, {
    access: 'operator',
    summary: 'Invite a VASP; the invitation works once',
    run: ({ body }) => invite(deps, body),
  }),
];

/** A one-time token with which a stranger may register. */
function invite(deps: TenantsDeps, { name, expiresIn }: z.output<typeof InvitationRequest>) {
  const invitation = `rvi_${deps.random.secret(32)}`;
  const createdAt = deps.now();
  const expiresAt = createdAt + expiresIn;
  write(deps.db, tx => {
    invitations.insert(tx, { hash: hashOf(invitation), name, createdAt, expiresAt });
  });
  return { invitation, expiresAt: toIso(expiresAt) };
}

const listInvitations = (deps: TenantsDeps) => ({
  invitations: invitations
    .unused(deps.db)
    .filter(({ expiresAt }) => expiresAt > deps.now())
    .map(({ id, name, createdAt, expiresAt }) => ({
      id: String(id),
      name,
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
    })),
});

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

/** `/invitations` */

const MAX_VALID_MS = 366 * 86_400_000;

const InvitationRequest = named('InvitationRequest', {
  name: shownName(256)
    .describe('Name of the invited VASP.')
    .meta({ examples: ['Bright Exchange'] }),
  expiresIn: duration(MAX_VALID_MS).prefault('7d').describe('Default: 7d.'),
});
const NewInvitation = named('NewInvitation', {
  invitation: z.string().describe('`rvi_…`, shown once. It works once.'),
  expiresAt: Timestamp,
});
const InvitationsResponse = named('InvitationsResponse', 'Invitations that nobody has accepted yet.', {
  invitations: z.array(z.object({ id: z.string(), name: z.string(), createdAt: Timestamp, expiresAt: Timestamp })),
});

export const invitationCalls = calls({
  invitations: { response: InvitationsResponse },
  invite: { body: InvitationRequest, response: NewInvitation },
});
