import * as z from 'zod';
import { Customer } from '../../contract/customers.ts';
import { named, VaspId } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';

/** `/reference-vasp` */

export const SwitchRequest = named('SwitchRequest', {
  running: z.boolean().describe('true: starts it. false: stops it and removes its addresses.'),
});

export const ReferenceVaspState = named('ReferenceVaspState', 'The VASP of the sandbox, for testers without one.', {
  running: z.boolean(),
  vaspId: VaspId.nullable(),
  url: z.string().nullable().describe('The address on which it listens.'),
  customers: z.array(Customer).describe('Empty when it does not run.'),
});

export const referenceVaspCalls = calls({
  referenceVasp: { response: ReferenceVaspState },
  switchReferenceVasp: { body: SwitchRequest, response: ReferenceVaspState },
});
