import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readInfo } from './read.ts';
import { InfoResponse } from './schema.ts';

export const infoEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/info', {
    access: 'vasp or operator',
    summary: 'Read the VASPs, the chains and the users with their addresses',
    response: InfoResponse,
    run: (_, caller) => readInfo(deps, caller),
  }),
];
