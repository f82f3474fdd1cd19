import { PlansResponse } from '../../contract/plan-list.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { listPlans } from '../../plans/catalogue.ts';

export const planEndpoints = (): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    access: 'vasp or operator',
    refusals: [],
    method: 'GET',
    path: '/sandbox/v1/plans',
    summary: 'List the conformance plans: modules and conditions with their clauses',
    response: PlansResponse,
    run: listPlans,
  }),
];
