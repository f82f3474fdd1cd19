import type {
  Accepted,
  AssessKytRequest,
  AssessSanctionRequest,
  AssessWcoRequest,
  InquireTransactionRequest,
  ListQuery,
  ListResponse,
  ReportErrorRequest,
  ReportTransactionRequest,
  VerifyAccountRequest,
  VerifyAccountResponse,
  VerifyUserRequest,
  VerifyUserResponse,
} from '../contract/requests.ts';
import type { AssessmentRegistered, AssessSanctionResponse } from '../contract/risk.ts';
import type { TransactionStatusResult } from '../contract/transaction-status.ts';
import type { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import type { VerificationResult } from '../contract/verification.ts';

/**
 * The enclave, as a VASP uses it. `caller` is the vaspId of the VASP that asks; every operation throws the refusals
 * that `contract/errors.ts` lists for it. Effects are committed when a call returns.
 */
export interface Enclave {
  self(caller: string): SelfResponse;
  vasps(query: VaspsQuery, caller: string): VaspsResponse;
  /** WIRE-2.3: asks the beneficiary VASP at once; leaves no trace but the exchange. */
  verifyAccount(request: VerifyAccountRequest, caller: string): Promise<VerifyAccountResponse>;
  /** WIRE-2.4: opens a verification; the outcome comes by callback VERIFICATION_RESULT. */
  verifyUser(request: VerifyUserRequest, caller: string): VerifyUserResponse;
  reportTransaction(request: ReportTransactionRequest, caller: string): Accepted;
  reportError(request: ReportErrorRequest, caller: string): Accepted;
  /** REF-4.5: asks the originating VASP where its transaction stands. */
  inquireTransaction(request: InquireTransactionRequest, caller: string): Promise<TransactionStatusResult>;
  get(verificationUuid: string, caller: string): VerificationResult;
  list(query: ListQuery, caller: string): ListResponse;
  /** REF-4.1: the counterparty's address, at once. */
  assessSanction(request: AssessSanctionRequest, caller: string): Promise<AssessSanctionResponse>;
  /** REF-4.2: the counterparty's address, or the transaction; the result comes by callback PROVIDER_A_KYT_RESULT. */
  assessKyt(request: AssessKytRequest, caller: string): Promise<AssessmentRegistered>;
  /** REF-4.3: the counterparty itself; the result comes by callback PROVIDER_B_WCO_RESULT. */
  assessWco(request: AssessWcoRequest, caller: string): Promise<AssessmentRegistered>;
  /** The beneficiary VASP has credited the transfer: reports on it are closed (D-14, D-15). Repeatable. */
  markCredited(verificationUuid: string, caller: string): void;
}
