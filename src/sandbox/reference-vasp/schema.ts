import * as z from 'zod';
import { Customer } from '../../contract/customers.ts';
import { VaspId } from '../../contract/text.ts';

/** `/reference-vasp` */

export const SwitchRequest = z
  .object({ running: z.boolean().describe('true: starts it. false: stops it and removes its addresses.') })
  .meta({ id: 'SwitchRequest' });

export const ReferenceVaspState = z
  .object({
    running: z.boolean(),
    vaspId: VaspId.nullable(),
    url: z.string().nullable().describe('The address on which it listens.'),
    customers: z.array(Customer).describe('Empty when it does not run.'),
  })
  .meta({ id: 'ReferenceVaspState', description: 'The VASP of the sandbox, for testers without one.' });
