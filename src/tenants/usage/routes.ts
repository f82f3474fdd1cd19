import { control, type Endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { readUsage } from './read.ts';
import { UsageResponse } from './schema.ts';

export const usageEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control.get('/sandbox/v1/usage', {
    summary: 'Read the use of the quotas of this VASP',
    response: UsageResponse,
    run: (_, caller) => readUsage(deps, caller),
  }),
];
