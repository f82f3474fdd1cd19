import type * as requests from '../contract/requests.ts';
import type { AssessmentRegistered, AssessSanctionAnswer } from '../contract/risk.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import type { TransactionStatusResult, VerificationResult } from '../contract/verification.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * The enclave as a VASP uses it. `caller` is the vaspId of the calling VASP. Requests are parsed already, with amounts
 * and prices as decimal text and times as ISO 8601 in UTC. Every operation throws the `Refusal`s that
 * `contract/errors.ts` lists for it. Its effects are committed when the call returns.
 */
export interface Enclave {
  /** WIRE-2.1: the caller's own vaspId. */
  self(caller: CallerId): SelfResponse;
  /** WIRE-2.2: the active VASPs, the caller among them. */
  vasps(query: VaspsQuery, caller: CallerId): Promise<VaspsResponse>;
  /** WIRE-2.3: asks the beneficiary VASP and passes its answer on. Stores nothing. Late: refusal no-answer. */
  verifyAccount(request: requests.VerifyAccountRequest, caller: CallerId): Promise<requests.VerifyAccountAnswer>;
  /**
   * WIRE-2.4: opens a verification and returns its uuid. The result comes by callback VERIFICATION_RESULT. `inSameTransaction` runs
   * in the same transaction.
   */
  verifyUser(
    request: requests.VerifyUserRequest,
    caller: CallerId,
    inSameTransaction?: (tx: Tx, response: requests.VerifyUserAnswer) => void,
  ): Promise<requests.VerifyUserAnswer>;
  /** WIRE-2.7: by the originating VASP of a VERIFIED verification. The beneficiary VASP gets callback TX_REPORT. */
  reportTransaction(request: requests.ReportTransactionRequest, caller: CallerId): requests.Accepted;
  /** WIRE-2.8: by the originating VASP. Ends the verification; the beneficiary VASP gets callback ERROR_REPORT. */
  reportError(request: requests.ReportErrorRequest, caller: CallerId): requests.Accepted;
  /** REF-4.5: by the beneficiary VASP. Asks the originating VASP for its transaction. Late: refusal no-answer. */
  inquireTransaction(request: requests.InquireTransactionRequest, caller: CallerId): Promise<TransactionStatusResult>;
  /** REF-4.4: by one of the two VASPs. An open verification has no `result`. */
  get(verificationUuid: string, caller: CallerId): VerificationResult;
  /** WIRE-2.5: one page of the caller's verifications, newest first. Nothing found is an empty page. */
  list(query: requests.ListQuery, caller: CallerId): requests.ListResponse;
  /** REF-4.1: compares the counterparty's address with the sanction lists, at once. */
  assessSanction(request: requests.AssessSanctionRequest, caller: CallerId): Promise<AssessSanctionAnswer>;
  /** REF-4.2: monitors the address, or the reported transaction. The result comes by callback PROVIDER_A_KYT_RESULT. */
  assessKyt(request: requests.AssessKytRequest, caller: CallerId): Promise<AssessmentRegistered>;
  /** REF-4.3: screens the counterparty's person. The result comes by callback PROVIDER_B_WCO_RESULT. */
  assessWco(request: requests.AssessWcoRequest, caller: CallerId): Promise<AssessmentRegistered>;
  /**
   * By the beneficiary VASP. true: it has credited the transfer, and reports are refused from then on (D-14, D-15). false: a
   * reorganisation has removed the transfer, and reports are accepted again.
   */
  setCredited(verificationUuid: string, isCredited: boolean, caller: CallerId): void;
}
