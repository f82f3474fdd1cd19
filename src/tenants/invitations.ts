import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { TRIAL } from '../contract/tenancy.ts';
import { named, shownName } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { type Tx, write } from '../db/transaction.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { networkOf } from '../http/proxies.ts';
import { toIso } from '../kernel/clock.ts';
import { hashOf } from '../kernel/secrets.ts';
import { duration } from '../sandbox/parameters.ts';
import type { TenantsDeps } from './deps.ts';
import type { Invitation, Trial } from './store.ts';
import * as invitations from './store.ts';

export const invitationEndpoints = (deps: TenantsDeps): Endpoint[] => [
  control(invitationCalls.invitations, {
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
  control(invitationCalls.invite, {
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

/** Wrong invitations from one address. */
const WRONG = { burst: 100, perSecond: 1 };

/** Throws `Refusal` unauthorized, rate-limited. */
export function requireInvitation(deps: TenantsDeps, token: string, address: string): Invitation {
  const found = invitations.findUnused(deps.db, hashOf(token));
  if (found && found.expiresAt > deps.now()) return found;
  const { ok, resetS } = deps.strangers.take(`${networkOf(address)} wrong`, WRONG.perSecond, WRONG.burst);
  if (!ok) throw refusals.rateLimited(resetS);
  throw refusals.unauthorized('The invitation is unknown, expired or used already.');
}

const MAX_VALID_MS = 366 * 86_400_000;

const InvitationRequest = named('InvitationRequest', {
  name: shownName(256)
    .describe('Name of the invited VASP.')
    .meta({ examples: ['Bright Exchange'] }),
  expiresIn: duration(MAX_VALID_MS).prefault('7d').describe('Default: 7d.'),
});
const NewInvitation = named('NewInvitation', {
  invitation: z.string().describe('`rvi_…`, shown once. It works once.'),
  expiresAt: Timestamp,
});
const InvitationsResponse = named('InvitationsResponse', 'Invitations that nobody has accepted yet.', {
  invitations: z.array(z.object({ id: z.string(), name: z.string(), createdAt: Timestamp, expiresAt: Timestamp })),
});

export const invitationCalls = calls({
  invitations: { response: InvitationsResponse },
  invite: { body: InvitationRequest, response: NewInvitation },
});

const DAY_MS = 86_400_000;
const IPV4_BITS = 24;
const SOON_S = 3_600;

/** Throws `Refusal` quota-exceeded. `address`: of whom wants one. */
export function requireTrialRoom({ trials, now }: Pick<TenantsDeps, 'now' | 'trials'>, address: string): void {
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
export function startTrial(
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

/** Throws `Refusal` invalid-field, unauthorized, rate-limited. */
export function claimByInvitation(deps: TenantsDeps, vaspId: string, token: string, who: Claimant): { vaspId: string } {
  const trial = requireTrial(deps, vaspId, 'invitation');
  const { id } = requireInvitation(deps, token, who.address);
  claim(deps, trial, who, 'an invitation of the operator claimed the trial', id);
  return { vaspId };
}

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
