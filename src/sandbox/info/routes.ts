import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { readInfo } from './read.ts';
import { infoCalls } from './schema.ts';

export const infoEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(infoCalls.info, {
    access: 'vasp or operator',
    summary: 'Read the VASPs, the chains and the users with their addresses',
    run: (_, caller) => readInfo(deps, caller),
  }),
];
