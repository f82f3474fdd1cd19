import { checkPayload } from '../../contract/ivms101-check/check-payload.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { ivms101Calls } from './schema.ts';

export const ivms101Endpoints = (deps: SandboxDeps): Endpoint[] => [
  control(ivms101Calls.checkIvms101, {
    summary: 'Check IVMS101 against the standard of 2020, clause by clause',
    run: ({ body }, caller) => {
      const { dialect, problems } = checkPayload(body.payload, deps.clock.now(caller));
      return { dialect, problems: [...problems] };
    },
  }),
];
