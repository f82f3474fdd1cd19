import { checkPayload } from '../../contract/ivms101-check/check-payload.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { Ivms101CheckRequest, Ivms101CheckResponse } from './schema.ts';

export const ivms101Endpoints = (deps: SandboxDeps): Endpoint[] => [
  control.post('/sandbox/v1/ivms101/check', {
    summary: 'Check IVMS101 against the standard of 2020, clause by clause',
    body: Ivms101CheckRequest,
    response: Ivms101CheckResponse,
    run: ({ body }, caller) => {
      const { dialect, flaws } = checkPayload(body.payload, deps.clock.now(caller));
      return { dialect, flaws: [...flaws] };
    },
  }),
];
