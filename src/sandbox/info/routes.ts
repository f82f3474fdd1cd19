import { control, type Endpoint } from '../../http/endpoint.ts';
import { type InfoDeps, readInfo } from './read.ts';
import { infoCalls } from './schema.ts';

export const infoEndpoints = (deps: InfoDeps): Endpoint[] => [
  control(infoCalls.info, {
    access: 'vasp or operator',
    summary: 'Read the VASPs, the chains and the users with their addresses',
    run: (_, caller) => readInfo(deps, caller),
  }),
];
