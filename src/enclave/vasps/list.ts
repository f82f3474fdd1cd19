import type { VaspsQuery, VaspsResponse } from '../../contract/vasps.ts';
import { toIso } from '../../kernel/clock.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { RegisteredVasp } from './registered-vasp.ts';
import type { VaspStore } from './store.ts';

/** WIRE-2.2, D-23: the active VASPs, the caller among them. All of them speak protocol VERIFYVASP. */
export function list(deps: Pick<EnclaveDeps, 'vasps'>, query: VaspsQuery): VaspsResponse {
  if (query.protocol === 'CODE') return { vasps: [] };
  const vasps = deps.vasps
    .all()
    .filter(vasp => vasp.isActive)
    .map(entryOf);
  const latest = latestAnswers.get(deps.vasps);
  if (latest && isSame(latest.vasps, vasps)) return latest;
  const answer = { vasps };
  latestAnswers.set(deps.vasps, answer);
  return answer;
}

/** The same object while nothing changes, so that its text is made once. */
const latestAnswers = new WeakMap<VaspStore, VaspsResponse>();

const isSame = (before: readonly Entry[], after: readonly Entry[]): boolean =>
  before.length === after.length && before.every((entry, i) => entry === after[i]);

type Entry = VaspsResponse['vasps'][number];

/** There may be thousands, and nearly all are as they were. */
const entries = new WeakMap<RegisteredVasp, Entry>();

function entryOf(vasp: RegisteredVasp): Entry {
  const present = entries.get(vasp);
  if (present?.health === vasp.health) return present;
  const entry = presented(vasp);
  entries.set(vasp, entry);
  return entry;
}

const presented = (vasp: RegisteredVasp): Entry => ({
  health: vasp.health,
  vaspId: vasp.vaspId,
  vaspName: vasp.name,
  legalName: vasp.name,
  isAlliance: true,
  protocol: 'VERIFYVASP',
  licensedStatus: null,
  vaspStatus: 'VERIFIED-MEMBER',
  createdAt: toIso(vasp.createdAt),
  updatedAt: toIso(vasp.updatedAt),
});
