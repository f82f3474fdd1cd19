import * as z from 'zod';
import { optional, text, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { VaspRequest } from '../../sandbox/vasps/schema.ts';

/** `/registrations` */

export const RegistrationRequest = VaspRequest.extend({
  invitation: optional(text(256)).describe('`rvi_…`: of the operator. It works once.'),
  vaspId: optional(VaspId).describe('Without it the sandbox chooses one.'),
}).meta({ id: 'RegistrationRequest', description: 'Registers a VASP.' });
export const RegistrationResponse = z
  .object({
    vaspId: VaspId,
    apiKey: z.string().describe('`rv_<cell>_…`, shown once; only its hash is stored.'),
    signingSecret: z.string().describe('`whsec_…`, shown once: it signs the callbacks.'),
    trialEndsAt: Timestamp.optional().describe('Only of a trial.'),
  })
  .meta({ id: 'RegistrationResponse' });
export const ClaimRequest = z
  .object({ invitation: text(256).describe('`rvi_…`: of the operator. It works once.') })
  .meta({ id: 'ClaimRequest' });
export const ClaimResponse = z.object({ vaspId: VaspId }).meta({ id: 'ClaimResponse' });
