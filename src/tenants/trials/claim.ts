import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import type { TenantsDeps } from '../deps.ts';
import { requireInvitation } from '../invitations/require.ts';
import * as invitations from '../invitations/store.ts';
import type { Trial } from './store.ts';

type Deps = Pick<TenantsDeps, 'audit' | 'db' | 'now' | 'strangers' | 'trials'>;

interface Claimant {
  role: 'operator' | 'vasp';
  key: string | null;
  address: string;
}

/** Throws `Refusal` invalid-field. */
function requireTrial({ trials }: Pick<Deps, 'trials'>, vaspId: string, field: string): Trial {
  const trial = trials.find(vaspId);
  if (!trial) throw refusals.invalidField(field, 'is for a trial, and this VASP is none');
  return trial;
}

/** The VASP stays for good, with the ordinary quotas. Throws `Refusal` invalid-field. */
export const claimByOperator = (deps: Deps, vaspId: string, who: Claimant): void =>
  claim(deps, requireTrial(deps, vaspId, 'claimed'), who, 'the operator claimed the trial');

/** Throws `Refusal` invalid-field, unauthorized, rate-limited. */
export function claimByInvitation(
  deps: Deps,
  vaspId: string,
  token: string,
  who: Claimant,
): { vaspId: string } {
  const trial = requireTrial(deps, vaspId, 'invitation');
  const { id } = requireInvitation(deps, token, who.address);
  claim(deps, trial, who, 'an invitation of the operator claimed the trial', id);
  return { vaspId };
}

function claim(
  deps: Deps,
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
  deps.audit.add({ at, role, vaspId, key, address, action: 'trial claimed', target: vaspId, outcome: 200 });
}
