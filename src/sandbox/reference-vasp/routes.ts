import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { ActRequest, ActResponse, FillResponse, ReferenceVaspState, SwitchRequest } from './schema.ts';

const SANDBOX = { operation: 'sandbox', access: 'local mode', refusals: [] } as const;

export const referenceVaspEndpoints = ({ referenceVasp }: SandboxDeps): Endpoint[] => [
  endpoint({
    ...SANDBOX,
    method: 'GET',
    access: 'vasp or operator',
    path: '/sandbox/v1/reference-vasp',
    summary: 'Read the state of the reference VASP',
    response: ReferenceVaspState,
    run: () => referenceVasp.state(),
  }),
  endpoint({
    ...SANDBOX,
    method: 'PUT',
    path: '/sandbox/v1/reference-vasp',
    summary: 'No VASP yet? Start or stop ours',
    body: SwitchRequest,
    refusals: ['place-taken'],
    examples: { default: { body: { running: false } } },
    response: ReferenceVaspState,
    async run({ body }, caller) {
      await (body.running ? referenceVasp.start(caller) : referenceVasp.stop());
      return referenceVasp.state();
    },
  }),
  endpoint({
    ...SANDBOX,
    method: 'POST',
    path: '/sandbox/v1/reference-vasp/actions',
    summary: 'Let the reference VASP pay the robot',
    body: ActRequest,
    refusals: ['not-running', 'not-finished', 'not-found'],
    precondition: 'reference-vasp-runs',
    examples: { default: { body: { action: 'withdraw', symbol: 'ETH', amount: '0.024' } } },
    response: ActResponse,
    async run({ body }) {
      await referenceVasp.act(body);
      return { result: true as const };
    },
  }),
  endpoint({
    ...SANDBOX,
    method: 'POST',
    path: '/sandbox/v1/reference-vasp/fill',
    summary: 'Fill the sandbox with an example of everything',
    refusals: ['not-running', 'not-finished'],
    precondition: 'reference-vasp-runs',
    response: FillResponse,
    run: async () => ({ verifications: await referenceVasp.fill() }),
  }),
];
