import type * as z from 'zod';
import { write } from '../../db/transaction.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import { hashOf } from '../../kernel/secrets.ts';
import type { TenantsDeps } from '../deps.ts';
import { type InvitationRequest, invitationCalls } from './schema.ts';
import * as invitations from './store.ts';

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
