import type { VaspsQuery, VaspsResponse } from '../../contract/vasps.ts';
import { toIso } from '../../kernel/clock.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { RegisteredVasp } from './registered-vasp.ts';

/** WIRE-2.2, D-23: the active VASPs, the caller among them. All of them speak protocol VERIFYVASP. */
export function list(deps: EnclaveDeps, query: VaspsQuery): VaspsResponse {
  if (query.protocol === 'CODE') return { vasps: [] };
  const active = deps.vasps.all().filter(vasp => vasp.isActive);
  return { vasps: active.map(entryOf) };
}

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
