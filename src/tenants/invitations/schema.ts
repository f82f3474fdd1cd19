import * as z from 'zod';
import { named, shownName } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { duration } from '../../sandbox/parameters.ts';

/** `/invitations` */

const MAX_VALID_MS = 366 * 86_400_000;

export const InvitationRequest = named('InvitationRequest', {
  name: shownName(256)
    .describe('Name of the invited VASP.')
    .meta({ examples: ['Bright Exchange'] }),
  expiresIn: duration(MAX_VALID_MS).prefault('7d').describe('Default: 7d.'),
});
export const NewInvitation = named('NewInvitation', {
  invitation: z.string().describe('`rvi_…`, shown once. It works once.'),
  expiresAt: Timestamp,
});
export const InvitationsResponse = named('InvitationsResponse', 'Invitations that nobody has accepted yet.', {
  invitations: z.array(z.object({ id: z.string(), name: z.string(), createdAt: Timestamp, expiresAt: Timestamp })),
});

export const invitationCalls = calls({
  invitations: { response: InvitationsResponse },
  invite: { body: InvitationRequest, response: NewInvitation },
});
