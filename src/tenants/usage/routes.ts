import { control, type Endpoint } from '../../http/endpoint.ts';
import type { TenantsDeps } from '../deps.ts';
import { readUsage } from './current-use.ts';
import { usageCalls } from './schema.ts';

export const usageEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(usageCalls.usage, {
    summary: 'Read the use of the quotas of this VASP',
    run: (_, caller) => readUsage(deps, caller),
  }),
];
