import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { TRIAL } from '../contract/tenancy.ts';
import { named, optional, text, VaspId } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { VaspName } from '../contract/vasps.ts';
import { type Tx, write } from '../db/transaction.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { networkOf } from '../http/proxies.ts';
import { toIso } from '../kernel/clock.ts';
import { hashOf } from '../kernel/secrets.ts';
import { duration } from '../sandbox/parameters.ts';
import { saveRegistration, VaspRequest } from '../sandbox/vasps.ts';
import type { TenantsDeps } from './deps.ts';
import { REGISTRATIONS } from './gate.ts';
import { addKey } from './keys.ts';
import type { Invitation, Trial } from './store.ts';
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
    run({ body: { invitation }, address, who }, vaspId) {
      const trial = requireTrial(deps, vaspId, 'invitation');
      const { id } = requireInvitation(deps, invitation, address);
      const claimant = { role: 'vasp', key: who.role === 'vasp' ? who.keyId : null, address } as const;
      claim(deps, trial, claimant, 'an invitation of the operator claimed the trial', id);
      return { vaspId };
    },
  }),
  control(registrationCalls.invitations, {
    access: 'operator',
    summary: 'List the invitations that nobody has accepted',
    run: () => ({
      invitations: invitations
        .unused(deps.db)
        .filter(({ expiresAt }) => expiresAt > deps.now())
        .map(({ id, name, createdAt, expiresAt }) => ({
          id: String(id),
          name,
          createdAt: toIso(createdAt),
          expiresAt: toIso(expiresAt),
        })),
    }),
  }),
  control(registrationCalls.invite, {
    access: 'operator',
    summary: 'Invite a VASP; the invitation works once',
    run({ body: { name, expiresIn } }) {
      const invitation = `rvi_${deps.random.secret(32)}`;
      const createdAt = deps.now();
      const expiresAt = createdAt + expiresIn;
      write(deps.db, tx => {
        invitations.insert(tx, { hash: hashOf(invitation), name, createdAt, expiresAt });
      });
      return { invitation, expiresAt: toIso(expiresAt) };
    },
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

const MAX_VALID_MS = 366 * 86_400_000;

const InvitationRequest = named('InvitationRequest', {
  name: VaspName.describe('Name of the invited VASP.').meta({ examples: ['Bright Exchange'] }),
  expiresIn: duration(MAX_VALID_MS).prefault('7d').describe('Default: 7d.'),
});
const NewInvitation = named('NewInvitation', {
  invitation: z.string().describe('`rvi_…`, shown once. It works once.'),
  expiresAt: Timestamp,
});
const InvitationsResponse = named('InvitationsResponse', 'Invitations that nobody has accepted yet.', {
  invitations: z.array(z.object({ id: z.string(), name: z.string(), createdAt: Timestamp, expiresAt: Timestamp })),
});

export const registrationCalls = calls({
  invitations: { response: InvitationsResponse },
  invite: { body: InvitationRequest, response: NewInvitation },
  register: { body: RegistrationRequest, response: RegistrationResponse },
  claimTrial: { body: ClaimRequest, response: ClaimResponse },
});

/** Wrong invitations from one address. */
const WRONG = { burst: 100, perSecond: 1 };

/** Throws `Refusal` unauthorized, rate-limited. */
function requireInvitation(deps: TenantsDeps, token: string, address: string): Invitation {
  const found = invitations.findUnused(deps.db, hashOf(token));
  if (found && found.expiresAt > deps.now()) return found;
  const { ok, resetS } = deps.strangers.take(`${networkOf(address)} wrong`, WRONG.perSecond, WRONG.burst);
  if (!ok) throw refusals.rateLimited(resetS);
  throw refusals.unauthorized('The invitation is unknown, expired or used already.');
}

const DAY_MS = 86_400_000;
const IPV4_BITS = 24;
const SOON_S = 3_600;

/** Throws `Refusal` quota-exceeded. `address`: of whom wants one. */
function requireTrialRoom({ trials, now }: Pick<TenantsDeps, 'now' | 'trials'>, address: string): void {
  const { count, first } = trials.ofNetwork(networkOf(address, IPV4_BITS), now() - DAY_MS);
  if (count >= TRIAL.perNetwork) {
    const freesAt = first! + DAY_MS;
    const limit = `trials (${TRIAL.perNetwork} in 24 hours from one network of addresses, ${count} used)`;
    const waitS = Math.ceil((freesAt - now()) / 1_000);
    throw refusals.quotaExceeded(limit, `It frees at ${toIso(freesAt)}. ${INVITED}`, waitS);
  }
  const used = trials.alive().length;
  if (used >= TRIAL.atOnce)
    throw refusals.quotaExceeded(
      `trials (${TRIAL.atOnce} at once in this sandbox, ${used} used)`,
      `It frees when a trial ends. ${INVITED}`,
      SOON_S,
    );
}

const INVITED = 'With an invitation of the operator you may register at once.';

/** Returns when it ends, epoch ms. */
function startTrial(
  { trials, now }: Pick<TenantsDeps, 'now' | 'trials'>,
  tx: Tx,
  vaspId: string,
  address: string,
): number {
  const startedAt = now();
  const endsAt = startedAt + TRIAL.lastsMs;
  const network = networkOf(address, IPV4_BITS);
  trials.insert(
    tx,
    { vaspId, network, startedAt, endsAt, isForgotten: false },
    `the VASP registered itself; its trial ends at ${toIso(endsAt)}`,
  );
  return endsAt;
}

interface Claimant {
  role: 'operator' | 'vasp';
  key: string | null;
  address: string;
}

/** Throws `Refusal` invalid-field. */
function requireTrial({ trials }: Pick<TenantsDeps, 'trials'>, vaspId: string, field: string): Trial {
  const trial = trials.find(vaspId);
  if (!trial) throw refusals.invalidField(field, 'is for a trial, and this VASP is none');
  return trial;
}

/** The VASP stays for good, with the ordinary quotas. Throws `Refusal` invalid-field. */
export const claimByOperator = (deps: TenantsDeps, vaspId: string, who: Claimant): void =>
  claim(deps, requireTrial(deps, vaspId, 'claimed'), who, 'the operator claimed the trial');

function claim(
  deps: TenantsDeps,
  trial: Trial,
  { role, key, address }: Claimant,
  cause: string,
  invitationId?: number,
): void {
  const { vaspId } = trial;
  const at = deps.now();
  write(deps.db, tx => {
    deps.trials.move(tx, trial, 'claimed', at, cause);
    if (invitationId !== undefined) invitations.use(tx, invitationId, vaspId, at);
  });
  deps.audit.add({ role, vaspId, key, address, action: 'trial claimed', target: vaspId });
}
