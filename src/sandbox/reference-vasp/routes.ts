import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { ReferenceVaspState, SwitchRequest } from './schema.ts';

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
    refusals: ['place-taken', 'chain-refused'],
    examples: { default: { body: { running: false } } },
    response: ReferenceVaspState,
    async run({ body }, caller) {
      await (body.running ? referenceVasp.start(caller) : referenceVasp.stop());
      return referenceVasp.state();
    },
  }),
];
