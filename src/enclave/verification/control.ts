import type { AssetSymbol } from '../../contract/assets.ts';
import { type CallerId, type Scoped, scopedRow } from '../../contract/tenancy.ts';
import type { Tx } from '../../db/transaction.ts';
import { deleteSomeVaspData, deleteVaspData, deleteVerifications } from '../delete-vasp-data.ts';
import type { EnclaveDeps } from '../deps.ts';
import { page } from './list-store.ts';
import { countOrdered } from './ordered-store.ts';
import { requireVerification } from './read.ts';
import type { FinalRange } from './removal-store.ts';
import * as verificationRemoval from './removal-store.ts';
import { endVerificationsOn } from './reports.ts';
import type { VerificationSearch } from './search-store.ts';
import * as searches from './search-store.ts';
import * as verifications from './store.ts';

export interface Parties {
  originatingVaspId: string;
  beneficiaryVaspId: string;
}

export function verificationReads(deps: EnclaveDeps) {
  const { db } = deps;
  return {
    /** The two VASPs of a verification. Throws `Refusal` verification-missing unless `caller` is one of them. */
    requireParties(verificationUuid: string, caller: CallerId): Parties & { verificationUuid: Scoped<string> } {
      const { originatingVaspId, beneficiaryVaspId } = requireVerification(deps, verificationUuid, caller);
      return ownVerification({ verificationUuid, originatingVaspId, beneficiaryVaspId });
    },
    isPartyTo: (vaspId: string, uuid: string): boolean => verifications.findOf(db, uuid, vaspId) !== undefined,
    /** The two VASPs of a verification. Undefined: it has been deleted. */
    findParties: (uuid: Scoped<string>): Parties | undefined => verifications.find(db, uuid),
    /** Verifications of the VASP that have a result, oldest first: those it sent, and those the robot sent to it. */
    listFinal: (caller: CallerId, range: FinalRange) =>
      verificationRemoval.final(db, caller, deps.residentVaspId, range).map(ownUuid),
    /** Number of verifications that the VASP has ordered: it sends them, or the robot sends them to it. */
    countOrdered: (caller: CallerId) => countOrdered(db, caller, deps.residentVaspId),
    /** Newest first, at most `search.limit`. `next`: the position of the next page; null: there is none. */
    listVerifications(search: VerificationSearch, caller: CallerId) {
      const { rows, next } = searches.newest(db, search, caller);
      return { rows: rows.map(ownUuid), next };
    },
    /** Number of verifications that the search finds on all pages, up to `most`. Null: words are not counted. */
    countVerifications: (search: VerificationSearch, caller: CallerId, limit: number) =>
      searches.countFound(db, search, caller, limit),
    /** Counts the newest verifications since `since`, at most `most` of each side. `hour`: since the epoch. */
    countsSince: (caller: CallerId, since: number, limit: number) => searches.countsSince(db, caller, since, limit),
    /** The verifications before and after one in the list of the caller. Null: there is none. */
    neighboursOf: (uuid: string, caller: CallerId) =>
      searches.neighboursOf(db, requireVerification(deps, uuid, caller), caller),
    /** The newest VERIFIED verification that `caller` sends or receives. Undefined: there is none. */
    newestVerified(actionType: 'SEND' | 'RECEIVE', caller: CallerId, symbol?: AssetSymbol) {
      const filters = { actionType, result: 'VERIFIED', symbol, fromDate: '1970-01-01' } as const;
      const [newest] = page(db, { ...filters, page: 1, rpp: 1 }, caller).rows;
      return newest && { verificationUuid: newest.uuid, ivms101Beneficiary: newest.ivms101Beneficiary };
    },
  };
}

export const verificationChanges = (deps: EnclaveDeps) => ({
  /** D-33: see `endVerificationsOn`. Returns how many have ended. */
  endVerificationsOn: (tx: Tx, symbol: AssetSymbol, message: string, isPaid: (verificationUuid: string) => boolean) =>
    endVerificationsOn(deps, tx, symbol, message, isPaid),
  deleteVerification: (tx: Tx, uuid: string) => deleteVerifications(tx, [uuid]),
  deleteVaspData: (tx: Tx, vaspId: string, among?: 'resident' | 'all') => deleteVaspData(deps, tx, vaspId, among),
  deleteSomeVaspData: (tx: Tx, vaspId: string, some: { among: 'resident' | 'all'; limit: number }) =>
    deleteSomeVaspData(deps, tx, vaspId, some),
  /**
   * The clock of a VASP was set back by its reset. Of at most `most` of its verifications with other VASPs the times of the
   * future become the present one. Returns how many.
   */
  moveBack: (tx: Tx, vaspId: string, limit: number) =>
    verifications.moveBack(tx, vaspId, deps.clock.now(vaspId), limit),
});

const ownVerification = scopedRow('verificationUuid');
const ownUuid = scopedRow('uuid');

/** Without persons. */
export type ListedVerification = ReturnType<ReturnType<typeof verificationReads>['listVerifications']>['rows'][number];
