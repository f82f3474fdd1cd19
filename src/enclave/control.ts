import type { AssetSymbol } from '../contract/assets.ts';
import type { Beneficiary } from '../contract/ivms101.ts';
import type { Result } from '../contract/reasons.ts';
import type { CallerId, Own } from '../contract/tenancy.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { CallbackAttempt as StoredAttempt } from '../db/schema/enclave.ts';
import type { Tx } from '../db/transaction.ts';
import type { RiskScenario } from '../screening/load.ts';
import type { ProviderKeys } from '../screening/port.ts';
import type { TimerKey } from '../timers/timers.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import type { HttpVasp } from '../vasps/http-vasp.ts';
import type { OutgoingExchange } from '../vasps/recorded-calls.ts';
import type { CallbackSigner } from '../vasps/signature.ts';
import type { Registration } from '../vasps/wire.ts';
import type { CallbackQuery } from './callbacks/list-store.ts';
import type { CallbackRow } from './callbacks/store.ts';
import type { Assessment } from './risk/store.ts';
import type { RegisteredVasp } from './vasps/registered-vasp.ts';
import type { VaspRow } from './vasps/sealed-rows.ts';
import type { SealedSecret } from './vasps/signing-store.ts';
import type * as verificationLists from './verification/list-store.ts';
import type { FinalRange } from './verification/removal-store.ts';
import type { VerificationSearch } from './verification/search/store.ts';

/**
 * The actions of the sandbox inside the enclave. `caller` is the vaspId of the VASP that asks. Times are epoch
 * milliseconds on the clock of that VASP. A change is committed when the method returns, unless it takes a transaction.
 */
export interface EnclaveControl {
  /** Time limit of each call to a VASP, in milliseconds. */
  readonly timeoutMs: Readonly<Record<VaspOperation, number>>;
  /** The smallest price that exceeds the threshold, as decimal text by currency. */
  readonly thresholds: Readonly<Record<string, string>>;
  /** The users of the robot that provoke the outcomes of an assessment. */
  readonly riskScenarios: readonly RiskScenario[];

  /** The two VASPs of a verification. Throws `Refusal` verification-missing unless `caller` is one of them. */
  requireParties(verificationUuid: string, caller: CallerId): Parties & { verificationUuid: Own<string> };
  /** The two VASPs of a verification. Undefined: it has been deleted. */
  findParties(verificationUuid: Own<string>): Parties | undefined;
  /** Verifications of the VASP that have a result, oldest first: those it sent, and those the robot sent to it. */
  listFinal(caller: CallerId, range: FinalRange): { uuid: Own<string>; createdAt: number; id: number }[];
  /** Deletes one verification with its callbacks, assessments, remarks and history. */
  deleteVerification(tx: Tx, uuid: string): void;
  /** Number of verifications that the VASP sends and receives. */
  countOf(caller: CallerId): number;
  /** Newest first, at most `search.limit`. `next`: the position of the next page; null: there is none. */
  listVerifications(
    search: VerificationSearch,
    caller: CallerId,
  ): { rows: ListedVerification[]; next: number | null };
  /** Number of verifications that the search finds on all pages. Null: its filters are not counted. */
  countVerifications(search: VerificationSearch, caller: CallerId): number | null;
  /** Counts the newest verifications since `since`, at most `most` of each side. `hour`: since the epoch. */
  countsSince(
    caller: CallerId,
    since: number,
    most: number,
  ): { hour: number; status: 'OPEN' | Result; count: number }[];
  /** The verifications before and after one in the list of the caller. Null: there is none. */
  neighboursOf(verificationUuid: string, caller: CallerId): { newer: string | null; older: string | null };
  /** The newest VERIFIED verification that `caller` sends or receives. Undefined: there is none. */
  newestVerified(
    actionType: 'SEND' | 'RECEIVE',
    caller: CallerId,
    symbol?: AssetSymbol,
  ): VerifiedParty | undefined;

  /** In the order of the query, at most `query.limit`. */
  listCallbacks(query: CallbackQuery, caller: CallerId): ListedCallback[];
  /** Number of callbacks on all pages, at most `most`. Null: the filter is not counted. */
  countCallbacks(query: CallbackQuery, caller: CallerId, most: number): number | null;
  /** Oldest first. Resolves with none when `signal` aborts before the first one arrives. */
  waitForCallbacks(query: CallbackQuery, caller: CallerId, signal: AbortSignal): Promise<ListedCallback[]>;
  /** Attempts to deliver these callbacks, oldest first. */
  callbackAttempts(callbacks: readonly ListedCallback[]): CallbackAttempt[];
  /** D-13: sends a callback again, with a fresh schedule of attempts. Throws `Refusal` not-found. */
  replayCallback(callbackId: number, caller: CallerId): ListedCallback;

  /** Newest first, at most `limit`; of one verification, or of all. */
  listAssessments(verificationUuid: string | undefined, limit: number, caller: CallerId): ListedAssessment[];

  /** Decides which addresses of a VASP may be called. */
  readonly guard: CallGuard;
  /** Signs what a run sends to the callback address by itself. */
  readonly signer: CallbackSigner;
  /** A new signing secret of the VASP. Those before it stay active for `overlapMs`. */
  rollSigningSecret(vaspId: string, overlapMs: number): string;

  listVasps(): RegisteredVasp[];
  findVasp(vaspId: string): RegisteredVasp | undefined;
  /** The id itself where no VASP of that id is registered. */
  vaspName(vaspId: string): string;
  /** Registers or replaces. `apiKey`: of a new VASP, stored as a hash; without it the stored hash stays. */
  saveVasp(vasp: NewRegistration, apiKey?: string): RegisteredVasp;
  /** The registration and the signing secrets as they are stored, encrypted with DATA_KEY. */
  sealedVasp(vaspId: string): SealedVasp;
  /** Takes over a VASP of another sandbox. Throws `StartProblem` when it was encrypted with an unknown key. */
  adoptVasp(tx: Tx, sealed: SealedVasp): RegisteredVasp;
  /** Sends the callbacks to this VASP that wait without a timer. */
  recoverCallbacks(toVaspId: string): void;
  /** A registered VASP on connections of its own: close them. `onExchange` gets every HTTP exchange. */
  connectVasp(vaspId: string, onExchange: (exchange: OutgoingExchange) => void): HttpVasp | undefined;

  /**
   * D-33: the chain started over. Ends its open verifications as ERROR, also the resident VASP's VERIFIED ones unless
   * `isPaid`. Returns how many have ended.
   */
  endVerificationsOn(
    tx: Tx,
    symbol: AssetSymbol,
    message: string,
    isPaid: (verificationUuid: string) => boolean,
  ): number;
  /** Timers that can be pending for a verification, as far as they concern `caller`. */
  timersOf(verificationUuid: Own<string>, caller: CallerId): TimerKey[];
  /**
   * Removes the verifications of a VASP with callbacks, assessments and history. The registration stays. `among`:
   * `resident` spares those with other VASPs, which have them too.
   */
  deleteVaspData(tx: Tx, vaspId: string, among?: 'resident' | 'all'): void;
  /** Removes at most `most` of them. Returns how many. */
  deleteSomeVaspData(tx: Tx, vaspId: string, some: { among: 'resident' | 'all'; most: number }): number;
  /**
   * The clock of a VASP was set back by its reset. Of at most `most` of its verifications with other VASPs the times of the
   * future become the present one. Returns how many.
   */
  moveBack(tx: Tx, vaspId: string, most: number): number;
  /** Time-outs, callbacks and assessments that wait get the timers again that the reset of a VASP has deleted. */
  resumeShared(tx: Tx, vaspId: string): void;
  /** Removes name, endpoints and tokens of a registration. The id stays. */
  forgetVasp(tx: Tx, vaspId: string): void;
}

export interface SealedVasp {
  registration: VaspRow;
  signingSecrets: SealedSecret[];
}

export interface Parties {
  originatingVaspId: string;
  beneficiaryVaspId: string;
}

export interface VerifiedParty {
  verificationUuid: string;
  ivms101Beneficiary: Beneficiary;
}

/** Without persons. */
export type ListedVerification = ReturnType<typeof verificationLists.newest>['rows'][number] & {
  uuid: Own<string>;
};

/** `data`: the `data` of the body; `attempts`: how many there were since the last replay. */
export type ListedCallback = CallbackRow & { id: Own<number> };
export type CallbackAttempt = StoredAttempt & { callbackId: number };

/** `failures`: failed calls of the provider; `riskAssessment`: as the answer or the callback has it at this moment. */
export type ListedAssessment = Pick<
  Assessment,
  'requestId' | 'verificationUuid' | 'kind' | 'status' | 'failures' | 'lastError' | 'createdAt'
> & { riskAssessment: object };

export type { OutgoingExchange, RegisteredVasp };
export type NewRegistration = Registration & {
  isActive: boolean;
  providerKeys?: Partial<ProviderKeys>;
  createdAt: number;
};
