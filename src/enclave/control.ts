import type { AssetSymbol } from '../contract/assets.ts';
import { type CallerId, type Scoped, scopedRow } from '../contract/tenancy.ts';
import { deleteHistory } from '../db/history.ts';
import type { CallbackAttempt as StoredAttempt } from '../db/schema/enclave.ts';
import type { TimerKind } from '../db/schema/runtime.ts';
import { type Tx, write } from '../db/transaction.ts';
import { deleteFindings } from '../findings/store.ts';
import { keyOf } from '../timers/registry.ts';
import type { TimerKey } from '../timers/timers.ts';
import type { OutgoingExchange } from '../vasps/http-client.ts';
import { recoverCallbacks, replay } from './callbacks/deliver.ts';
import type { CallbackQuery, CallbackRow } from './callbacks/store.ts';
import * as callbacks from './callbacks/store.ts';
import type { EnclaveDeps } from './deps.ts';
import { collectAgain, presentAssessment } from './risk/async-assessment.ts';
import * as assessments from './risk/store.ts';
import type { SealedSecret } from './vasps/signing-store.ts';
import type { RegisteredVasp, VaspRow } from './vasps/store.ts';
import { requireVerification, timeOutOpen } from './verification/complete.ts';
import { endVerificationsOn } from './verification/reports.ts';
import type { VerificationSearch } from './verification/search-store.ts';
import * as searches from './verification/search-store.ts';
import * as verificationRemoval from './verification/sides-store.ts';
import { countOrdered, type FinalRange } from './verification/sides-store.ts';
import type { Verification } from './verification/store.ts';
import * as verifications from './verification/store.ts';

/**
 * The actions of the sandbox inside the enclave. `caller` is the vaspId of the VASP that asks. Times are epoch
 * milliseconds on the clock of that VASP. A change is committed when the method returns, unless it takes a transaction.
 */
export type EnclaveControl = ReturnType<typeof createEnclaveControl>;

export const createEnclaveControl = (deps: EnclaveDeps) => ({
  /** Time limit of each call to a VASP, in milliseconds. */
  timeoutMs: deps.timeoutMs,
  /** The smallest price that exceeds the threshold, as decimal text by currency. */
  thresholds: deps.thresholds,
  /** The users of the robot that provoke the outcomes of an assessment. */
  riskScenarios: deps.risk.scenarios,
  /** Decides which endpoints of a VASP may be called. */
  guard: deps.guard,
  /** Signs what a run sends to the callback endpoint by itself. */
  signer: deps.signing.signer,
  ...verificationReads(deps),
  ...verificationChanges(deps),
  ...callbackControl(deps),
  ...vaspControl(deps),
  /** Newest first, at most `limit`; of one verification, or of all. `riskAssessment`: as the answer or the callback has it. */
  listAssessments: (verificationUuid: string | undefined, limit: number, caller: CallerId) =>
    assessments
      .listOf(deps.db, caller, verificationUuid, limit)
      .map(row => ({ ...row, riskAssessment: presentAssessment(row) })),
  /** Timers that can be pending for a verification, as far as they concern `caller`. */
  timersOf(verificationUuid: Scoped<string>, caller: CallerId): TimerKey[] {
    const parties = verifications.find(deps.db, verificationUuid);
    if (!parties) return [];
    const subject = { ...parties, verificationUuid, caller };
    return Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
      keysOf(deps, subject).map(key => ({ kind: kind as EnclaveTimerKind, key })),
    );
  },
});

const MAX_ASSESSMENTS = 100;

type EnclaveTimerKind = Extract<TimerKind, `enclave.${string}`>;
type Subject = Parties & { verificationUuid: string; caller: string };

/** The keys of the timers of a verification. A new kind of timer does not compile without them. */
const TIMER_KEYS: Record<EnclaveTimerKind, (deps: EnclaveDeps, subject: Subject) => string[]> = {
  'enclave.verification.ask': (_, { verificationUuid }) => [verificationUuid],
  'enclave.verification.time-out': (_, { verificationUuid }) => [verificationUuid],
  'enclave.callback.deliver': ({ residentVaspId }, subject) =>
    [subject.originatingVaspId, subject.beneficiaryVaspId]
      .filter(receiver => receiver === subject.caller || receiver === residentVaspId)
      .map(receiverVaspId => keyOf('enclave.callback.deliver', { ...subject, receiverVaspId })),
  'enclave.risk.collect': ({ db }, { verificationUuid, caller }) =>
    assessments.listOf(db, caller, verificationUuid, MAX_ASSESSMENTS).map(({ requestId }) => requestId),
};

export type Parties = Pick<Verification, 'originatingVaspId' | 'beneficiaryVaspId'>;

function verificationReads(deps: EnclaveDeps) {
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
    /** Number of verifications that the search finds on all pages, up to `limit`. Null: words are not counted. */
    countVerifications: (search: VerificationSearch, caller: CallerId, limit: number) =>
      searches.countFound(db, search, caller, limit),
    /** Counts the newest verifications since `since`, at most `limit` of each side. `hour`: since the epoch. */
    countsSince: (caller: CallerId, since: number, limit: number) => searches.countsSince(db, caller, since, limit),
    /** The verifications before and after one in the list of the caller. Null: there is none. */
    neighboursOf: (uuid: string, caller: CallerId) =>
      searches.neighboursOf(db, requireVerification(deps, uuid, caller), caller),
    /** The newest VERIFIED verification that `caller` sends or receives. Undefined: there is none. */
    newestVerified(actionType: 'SEND' | 'RECEIVE', caller: CallerId, symbol?: AssetSymbol) {
      const filters = { actionType, result: 'VERIFIED', symbol, fromDate: '1970-01-01' } as const;
      const [newest] = searches.page(db, { ...filters, page: 1, rpp: 1 }, caller).rows;
      return newest && { verificationUuid: newest.uuid, ivms101Beneficiary: newest.ivms101Beneficiary };
    },
  };
}

type Among = 'resident' | 'all';
/** Of one statement. */
const MAX_PER_WRITE = 100;

const verificationChanges = (deps: EnclaveDeps) => ({
  endVerificationsOn: (tx: Tx, symbol: AssetSymbol, message: string, isPaid: (verificationUuid: string) => boolean) =>
    endVerificationsOn(deps, tx, symbol, message, isPaid),
  deleteVerification: (tx: Tx, uuid: string) => deleteVerifications(tx, [uuid]),
  /** Deletes the verifications of a VASP with their callbacks, assessments, findings and history. The registration stays. */
  deleteVaspData(tx: Tx, vaspId: string, among: Among = 'all'): void {
    while (this.deleteSomeVaspData(tx, vaspId, { among, limit: MAX_PER_WRITE }) > 0);
  },
  /** Deletes at most `limit` of these verifications. Returns how many. */
  deleteSomeVaspData(tx: Tx, vaspId: string, { among, limit }: { among: Among; limit: number }): number {
    const other = among === 'resident' ? deps.residentVaspId : undefined;
    const uuids = verificationRemoval.someOf(tx, vaspId, limit, other);
    deleteVerifications(tx, uuids);
    return uuids.length;
  },
  /**
   * The clock of a VASP was set back by its reset. Of at most `limit` of its verifications with other VASPs the times of the
   * future become the present one. Returns how many.
   */
  moveBack: (tx: Tx, vaspId: string, limit: number) =>
    verifications.moveBack(tx, vaspId, deps.clock.now(vaspId), limit),
});

const ownVerification = scopedRow('verificationUuid');
const ownUuid = scopedRow('uuid');

/** Without persons. */
export type ListedVerification = ReturnType<ReturnType<typeof verificationReads>['listVerifications']>['rows'][number];

/** `data`: the `data` of the body; `attempts`: how many there were since the last replay. */
export type ListedCallback = CallbackRow & { id: Scoped<number> };
export type CallbackAttempt = StoredAttempt & { callbackId: number };

function callbackControl(deps: EnclaveDeps) {
  const { db } = deps;
  return {
    /** In the order of the query, at most `query.limit`. `next`: the position of the next page. */
    listCallbacks(query: CallbackQuery, caller: CallerId) {
      const { rows, next } = callbacks.page(db, caller, query);
      return { rows: rows.map(ownId), next };
    },
    /** Number of callbacks on all pages, at most `limit`. Null: the filter is not counted. */
    countCallbacks: (query: CallbackQuery, caller: CallerId, limit: number) =>
      callbacks.count(db, caller, query, limit),
    /** Oldest first, by long poll. Resolves with none when `signal` aborts before the first one arrives. */
    async waitForCallbacks(query: CallbackQuery, caller: CallerId, signal: AbortSignal) {
      for (;;) {
        const { rows } = callbacks.page(db, caller, query);
        if (rows.length > 0 || signal.aborted) return rows.map(ownId);
        await deps.waiters.wait(caller, signal);
      }
    },
    /** Attempts to deliver these callbacks, oldest first. */
    callbackAttempts: (of: readonly ListedCallback[]): CallbackAttempt[] => callbacks.attemptsOf(db, of),
    replayCallback: (id: number, caller: CallerId) => ownId(replay(deps, id, caller)),
  };
}

const ownId = scopedRow('id');

/** The registration and the signing secrets as they are stored, encrypted with DATA_KEY. */
export interface SealedVasp {
  registration: VaspRow;
  signingSecrets: SealedSecret[];
}
export type { OutgoingExchange, RegisteredVasp };

function vaspControl(deps: EnclaveDeps) {
  const { vasps, signing } = deps;
  return {
    listVasps: vasps.all,
    findVasp: vasps.find,
    /** The id itself where no VASP of that id is registered. */
    vaspName: vasps.nameOf,
    /** Registers or replaces. `apiKey`: of a new VASP, stored as a hash; without it the stored hash stays. */
    saveVasp(vasp: Omit<RegisteredVasp, 'apiKeyHash' | 'health'>, apiKey?: string): RegisteredVasp {
      write(deps.db, tx => vasps.save(tx, vasp, apiKey));
      return vasps.find(vasp.vaspId)!;
    },
    sealedVasp: (vaspId: string): SealedVasp => ({
      registration: vasps.sealed(vaspId),
      signingSecrets: signing.secrets.sealed(vaspId),
    }),
    /** Takes over a VASP of another sandbox. Throws `StartProblem` when it was encrypted with an unknown key. */
    adoptVasp(tx: Tx, { registration, signingSecrets }: SealedVasp): RegisteredVasp {
      signing.secrets.adopt(tx, registration.vaspId, signingSecrets);
      return vasps.adopt(tx, registration);
    },
    /** Removes name, endpoints and tokens of a registration. The id stays. */
    forgetVasp(tx: Tx, vaspId: string): void {
      vasps.forget(tx, vaspId);
      signing.secrets.removeOf(tx, vaspId);
    },
    /** A registered VASP on connections of its own: close them. `onExchange` gets every HTTP exchange. */
    connectVasp: (vaspId: string, onExchange: (exchange: OutgoingExchange) => void) =>
      deps.directory.connect(vaspId, onExchange),
    /** A new signing secret of the VASP. The newest before it stay active for `overlapMs`. */
    rollSigningSecret: (vaspId: string, overlapMs: number): string =>
      write(deps.db, tx => signing.secrets.roll(tx, vaspId, overlapMs)),
    /** Sends the callbacks to this VASP that wait without a timer. */
    recoverCallbacks: (toVaspId: string) => recoverCallbacks(deps, toVaspId),
    /** Time-outs, callbacks and assessments that wait get the timers again that the reset of a VASP has deleted. */
    resumeShared(tx: Tx, vaspId: string): void {
      timeOutOpen(deps, tx, vaspId);
      collectAgain(deps, tx, vaspId);
      recoverCallbacks(deps, vaspId);
    },
  };
}

function deleteVerifications(tx: Tx, uuids: readonly string[]): void {
  callbacks.removeOf(tx, uuids);
  assessments.removeOf(tx, uuids);
  deleteHistory(tx, uuids);
  deleteFindings(tx, uuids);
  verificationRemoval.removeAll(tx, uuids);
}
