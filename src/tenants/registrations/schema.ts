import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { optional, text, VaspId } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { calls } from '../../http/endpoint.ts';
import { VaspRequest } from '../../sandbox/vasps/schema.ts';

/** `/registrations` */

export const RegistrationRequest = VaspRequest.extend({
  invitation: optional(text(256)).describe('`rvi_…`: of the operator. It works once.'),
  vaspId: optional(VaspId).describe('Without it the sandbox chooses one.'),
}).meta({ id: 'RegistrationRequest', description: 'Registers a VASP.' });
export const RegistrationResponse = named('RegistrationResponse', {
  vaspId: VaspId,
  apiKey: z.string().describe('`rv_<cell>_…`, shown once; only its hash is stored.'),
  signingSecret: z.string().describe('`whsec_…`, shown once: it signs the callbacks.'),
  trialEndsAt: Timestamp.optional().describe('Only of a trial.'),
});
export const ClaimRequest = named('ClaimRequest', {
  invitation: text(256).describe('`rvi_…`: of the operator. It works once.'),
});
export const ClaimResponse = named('ClaimResponse', { vaspId: VaspId });

export const registrationCalls = calls({
  register: { body: RegistrationRequest, response: RegistrationResponse },
  claimTrial: { body: ClaimRequest, response: ClaimResponse },
});
