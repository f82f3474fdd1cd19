import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { ReferenceVaspState, SwitchRequest } from './schema.ts';

export const referenceVaspEndpoints = ({ referenceVasp }: SandboxDeps): Endpoint[] => [
  control.get('/sandbox/v1/reference-vasp', {
    access: 'vasp or operator',
    summary: 'Read the state of the reference VASP',
    response: ReferenceVaspState,
    run: () => referenceVasp.state(),
  }),
  control.put('/sandbox/v1/reference-vasp', {
    access: 'local mode',
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
