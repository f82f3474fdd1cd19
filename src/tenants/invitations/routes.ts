import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { invite, listInvitations } from './invite.ts';
import { InvitationRequest, InvitationsResponse, NewInvitation } from './schema.ts';

const OPERATOR = {
  operation: 'sandbox',
  refusals: [],
  access: 'operator',
  path: '/sandbox/v1/invitations',
} as const;

export const invitationEndpoints = (deps: TenantsDeps): Endpoint[] => [
  endpoint({
    ...OPERATOR,
    method: 'GET',
    summary: 'List the invitations that nobody has accepted',
    response: InvitationsResponse,
    run: () => listInvitations(deps),
  }),
  endpoint({
    ...OPERATOR,
    method: 'POST',
    summary: 'Invite a VASP; the invitation works once',
    body: InvitationRequest,
    response: NewInvitation,
    run: ({ body }) => invite(deps, body),
  }),
];
