import type * as z from 'zod';
import { write } from '../../db/transaction.ts';
import { toIso } from '../../kernel/clock.ts';
import { hashOf } from '../../kernel/secret-hash.ts';
import type { TenantsDeps } from '../deps.ts';
import type { InvitationRequest } from './schema.ts';

/** A one-time token with which a stranger may register. */
export function invite(deps: TenantsDeps, { name, expiresIn }: z.output<typeof InvitationRequest>) {
  const invitation = `rvi_${deps.random.secret(32)}`;
  const createdAt = deps.now();
  const expiresAt = createdAt + expiresIn;
  write(deps.db, tx => {
    deps.invitations.insert(tx, { hash: hashOf(invitation), name, createdAt, expiresAt });
  });
  return { invitation, expiresAt: toIso(expiresAt) };
}

export const listInvitations = (deps: TenantsDeps) => ({
  invitations: deps.invitations
    .unused()
    .filter(({ expiresAt }) => expiresAt > deps.now())
    .map(({ id, name, createdAt, expiresAt }) => ({
      id: String(id),
      name,
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
    })),
});
