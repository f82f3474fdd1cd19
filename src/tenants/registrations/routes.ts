import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { REGISTRATIONS } from '../paths.ts';
import { claimByInvitation } from '../trials/claim.ts';
import { register } from './register.ts';
import { ClaimRequest, ClaimResponse, RegistrationRequest, RegistrationResponse } from './schema.ts';

export const registrationEndpoints = (deps: TenantsDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: ['already-registered', 'address-not-allowed'],
    access: 'everybody',
    method: 'POST',
    path: REGISTRATIONS,
    summary: 'Register a VASP with an invitation; its key and its signing secret are shown once',
    description:
      'Where `REGISTRATION=trial` is set, a VASP without an invitation gets a trial: it has a tenth of the quotas and ends after 7 days, unless an invitation or the operator claims it.',
    success: 201,
    body: RegistrationRequest,
    response: RegistrationResponse,
    run: ({ body, address }) => register(deps, body, address),
  }),
  endpoint({
    operation: 'sandbox',
    refusals: [],
    method: 'POST',
    path: '/sandbox/v1/registrations/claim',
    summary: 'Claim the trial of this VASP with an invitation: it stays for good, with the ordinary quotas',
    body: ClaimRequest,
    response: ClaimResponse,
    run: ({ body: { invitation }, address, who }, caller) =>
      claimByInvitation(deps, caller, invitation, {
        role: 'vasp',
        key: who.role === 'vasp' ? who.keyId : null,
        address,
      }),
  }),
];
