import type { VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import { toIso } from '../kernel/clock.ts';
import type { EnclaveDeps } from './deps.ts';
import type { Enclave } from './port.ts';
import { assessKyt, assessSanction, assessWco } from './risk/assess.ts';
import type { RegisteredVasp } from './vasps/store.ts';
import { get, list } from './verification/complete.ts';
import { inquireTransaction, reportError, reportTransaction, setCredited } from './verification/reports.ts';
import { verifyAccount, verifyUser } from './verification/verify.ts';

export const createEnclave = (deps: EnclaveDeps): Enclave => ({
  self: caller => ({ vaspId: caller }),
  vasps: async query => listVasps(deps, query),
  verifyAccount: (request, caller) => verifyAccount(deps, request, caller),
  verifyUser: (request, caller, inSameTransaction) => verifyUser(deps, request, caller, inSameTransaction),
  reportTransaction: (request, caller) => reportTransaction(deps, request, caller),
  reportError: (request, caller) => reportError(deps, request, caller),
  inquireTransaction: (request, caller) => inquireTransaction(deps, request, caller),
  get: (uuid, caller) => get(deps, uuid, caller),
  list: (query, caller) => list(deps, query, caller),
  assessSanction: (request, caller) => assessSanction(deps, request, caller),
  assessKyt: (request, caller) => assessKyt(deps, request, caller),
  assessWco: (request, caller) => assessWco(deps, request, caller),
  setCredited: (uuid, isCredited, caller) => setCredited(deps, uuid, isCredited, caller),
});

/** WIRE-2.2, D-23: the active VASPs, the caller among them. All of them speak protocol VERIFYVASP. */
export function listVasps(deps: EnclaveDeps, query: VaspsQuery): VaspsResponse {
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
