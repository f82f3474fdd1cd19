import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { named, optional, text, VaspId } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { write } from '../db/transaction.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { networkOf } from '../http/proxies.ts';
import { toIso } from '../kernel/clock.ts';
import { saveRegistration, VaspRequest } from '../sandbox/vasps.ts';
import type { TenantsDeps } from './deps.ts';
import { REGISTRATIONS } from './gate.ts';
import { claimByInvitation, requireInvitation, requireTrialRoom, startTrial } from './invitations.ts';
import { addKey } from './keys.ts';
import * as invitations from './store.ts';

export const registrationEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(registrationCalls.register, {
    refusals: ['already-registered', 'address-not-allowed'],
    access: 'everybody',
    summary: 'Register a VASP with an invitation; its key and its signing secret are shown once',
    description:
      'Where `REGISTRATION=trial` is set, a VASP without an invitation gets a trial: it has a tenth of the quotas and ends after 7 days, unless an invitation or the operator claims it.',
    success: 201,
    run({ body: { invitation: token, vaspId: chosen, ...request }, address }) {
      const { registration } = deps.settings;
      if (registration === 'closed') throw refusals.forbidden('Nobody can register in this sandbox now.');
      const invitation = token === undefined ? undefined : requireInvitation(deps, token, address);
      const isTrial = registration === 'trial' && !invitation;
      if (!invitation) requireWelcome(deps, address, chosen);
      if (chosen !== undefined && isTaken(deps, chosen)) throw refusals.alreadyRegistered(chosen);
      const vaspId = chosen ?? freeId(deps);
      const registered = write(deps.db, tx => {
        const now = deps.now();
        saveRegistration(deps.sandbox, vaspId, request);
        deps.tenants.insert(tx, vaspId, now);
        if (invitation) invitations.use(tx, invitation.id, vaspId, now);
        const { apiKey } = addKey(deps, tx, { vaspId, name: 'first key', scope: 'full', lifetimeMs: null });
        const signingSecret = deps.sandbox.enclave.rollSigningSecret(vaspId, 0);
        if (!isTrial) return { vaspId, apiKey, signingSecret };
        return { vaspId, apiKey, signingSecret, trialEndsAt: toIso(startTrial(deps, tx, vaspId, address)) };
      });
      const action = isTrial ? 'trial started' : `POST ${REGISTRATIONS}`;
      deps.audit.add({ role: 'nobody', vaspId, address, action, target: vaspId, outcome: 201 });
      return registered;
    },
  }),
  control(registrationCalls.claimTrial, {
    summary: 'Claim the trial of this VASP with an invitation: it stays for good, with the ordinary quotas',
    run: ({ body: { invitation }, address, who }, caller) =>
      claimByInvitation(deps, caller, invitation, {
        role: 'vasp',
        key: who.role === 'vasp' ? who.keyId : null,
        address,
      }),
  }),
];

/** Of somebody without an invitation. */
function requireWelcome(deps: TenantsDeps, address: string, chosen: string | undefined): void {
  const { registration, quotas } = deps.settings;
  if (registration === 'invite') throw refusals.missingField('invitation');
  if (registration === 'trial') {
    // An id is taken for ever, and a trial is not.
    if (chosen !== undefined)
      throw refusals.invalidField('vaspId', 'is not for a trial: leave it out, and the sandbox chooses one');
    return requireTrialRoom(deps, address);
  }
  const perHour = quotas.registrationsPerHour;
  const { ok, resetS } = deps.strangers.take(networkOf(address), perHour / 3_600, perHour);
  if (!ok) throw refusals.rateLimited(resetS);
}

/** An id is taken once and for ever. */
const isTaken = ({ tenants, sandbox }: TenantsDeps, vaspId: string): boolean =>
  tenants.find(vaspId) !== undefined || sandbox.enclave.findVasp(vaspId) !== undefined;

function freeId(deps: TenantsDeps): string {
  for (;;) {
    const id = Buffer.from(deps.random.secret(8), 'base64url').readBigUInt64BE().toString();
    if (!isTaken(deps, id)) return id;
  }
}

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
