import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { REGISTRATIONS } from '../paths.ts';
import { rateLimit } from '../rate-limit.ts';
import { register } from './register.ts';
import { RegistrationRequest, RegistrationResponse } from './schema.ts';

export const registrationEndpoints = (deps: TenantsDeps, limit = rateLimit(deps.elapsed)): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: ['already-registered', 'address-not-allowed'],
    access: 'everybody',
    method: 'POST',
    path: REGISTRATIONS,
    summary: 'Register a VASP with an invitation; its key and its signing secret are shown once',
    success: 201,
    body: RegistrationRequest,
    response: RegistrationResponse,
    run: ({ body, address }) => register(deps, body, { address, limit }),
  }),
];
