import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readInfo } from './read.ts';
import { InfoResponse } from './schema.ts';

export const infoEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    operation: 'sandbox',
    refusals: [],
    access: 'vasp or operator',
    method: 'GET',
    path: '/sandbox/v1/info',
    summary: 'Read the VASPs, the chains and the users with their addresses',
    response: InfoResponse,
    run: (_, caller) => readInfo(deps, caller),
  }),
];
