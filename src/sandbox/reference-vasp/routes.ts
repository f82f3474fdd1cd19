import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { referenceVaspCalls } from './schema.ts';

export const referenceVaspEndpoints = ({ referenceVasp }: SandboxDeps): Endpoint[] => [
  control(referenceVaspCalls.referenceVasp, {
    access: 'vasp or operator',
    summary: 'Read the state of the reference VASP',
    run: () => referenceVasp.state(),
  }),
  control(referenceVaspCalls.switchReferenceVasp, {
    access: 'local mode',
    summary: 'No VASP yet? Start or stop ours',
    refusals: ['place-taken', 'chain-refused'],
    examples: { default: { body: { running: false } } },
    async run({ body }, caller) {
      await (body.running ? referenceVasp.start(caller) : referenceVasp.stop());
      return referenceVasp.state();
    },
  }),
];
