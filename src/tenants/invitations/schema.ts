import * as z from 'zod';
import { shownName } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { duration } from '../../sandbox/parameters.ts';

/** `/invitations` */

const MAX_VALID_MS = 366 * 86_400_000;

export const InvitationRequest = z
  .object({
    name: shownName(256)
      .describe('Name of the invited VASP.')
      .meta({ examples: ['Bright Exchange'] }),
    expiresIn: duration(MAX_VALID_MS).prefault('7d').describe('Default: 7d.'),
  })
  .meta({ id: 'InvitationRequest' });
export const NewInvitation = z
  .object({ invitation: z.string().describe('`rvi_…`, shown once. It works once.'), expiresAt: Timestamp })
  .meta({ id: 'NewInvitation' });
export const InvitationsResponse = z
  .object({
    invitations: z.array(
      z.object({ id: z.string(), name: z.string(), createdAt: Timestamp, expiresAt: Timestamp }),
    ),
  })
  .meta({ id: 'InvitationsResponse', description: 'Invitations that nobody has accepted yet.' });
