import type { VaspsQuery, VaspsResponse } from '../../contract/vasps.ts';
import { toIso } from '../../kernel/clock.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { RegisteredVasp } from './sealed-rows.ts';

/** WIRE-2.2, D-23: the active VASPs, the caller among them. All of them speak protocol VERIFYVASP. */
export function list(deps: EnclaveDeps, query: VaspsQuery): VaspsResponse {
  if (query.protocol === 'CODE') return { vasps: [] };
  return {
    vasps: deps.vasps
      .all()
      .filter(vasp => vasp.isActive)
      .map(presented),
  };
}

const presented = (vasp: RegisteredVasp): VaspsResponse['vasps'][number] => ({
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
