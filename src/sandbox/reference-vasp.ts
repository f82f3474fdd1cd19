import * as z from 'zod';
import { Customer } from '../contract/customers.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named, VaspId } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';

/** The reference VASP beside the sandbox. Only the configured VASP can be played by it. */
export interface ReferenceVaspSwitch {
  state(): z.input<typeof ReferenceVaspState>;
  /** Throws `Refusal` place-taken for another VASP, and while the configured VASP has addresses of its own. */
  start(caller: CallerId): Promise<void>;
  stop(): Promise<void>;
}

export const referenceVaspEndpoints = ({ referenceVasp }: { referenceVasp: ReferenceVaspSwitch }): Endpoint[] => [
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

/** `/reference-vasp` */

const ReferenceVaspState = named('ReferenceVaspState', 'The VASP of the sandbox, for testers without one.', {
  running: z.boolean(),
  vaspId: VaspId.nullable(),
  url: z.string().nullable().describe('The address on which it listens.'),
  customers: z.array(Customer).describe('Empty when it does not run.'),
});

export const referenceVaspCalls = calls({
  referenceVasp: { response: ReferenceVaspState },
  switchReferenceVasp: {
    body: named('SwitchRequest', {
      running: z.boolean().describe('true: starts it. false: stops it and removes its endpoints.'),
    }),
    response: ReferenceVaspState,
  },
});
