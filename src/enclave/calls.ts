import {
  Accepted,
  AssessKytRequest,
  AssessSanctionRequest,
  AssessWcoRequest,
  InquireTransactionRequest,
  ListQuery,
  ListResponse,
  ReportErrorRequest,
  ReportTransactionRequest,
  VerifyAccountAnswer,
  VerifyAccountRequest,
  VerifyUserAnswer,
  VerifyUserRequest,
} from '../contract/requests.ts';
import { AssessmentRegistered, AssessSanctionAnswer } from '../contract/risk.ts';
import { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import { TransactionStatusResult, VerificationResult } from '../contract/verification.ts';
import { calls } from '../http/endpoint.ts';

/** `/v1` */

export const enclaveCalls = calls({
  self: { response: SelfResponse },
  vasps: { query: VaspsQuery, response: VaspsResponse },
  verifyAccount: { body: VerifyAccountRequest, response: VerifyAccountAnswer },
  verifyUser: { body: VerifyUserRequest, response: VerifyUserAnswer },
  list: { query: ListQuery, response: ListResponse },
  verification: { response: VerificationResult },
  reportTransaction: { body: ReportTransactionRequest, response: Accepted },
  reportError: { body: ReportErrorRequest, response: Accepted },
  inquireTransaction: { body: InquireTransactionRequest, response: TransactionStatusResult },
  assessSanction: { body: AssessSanctionRequest, response: AssessSanctionAnswer },
  assessKyt: { body: AssessKytRequest, response: AssessmentRegistered },
  assessWco: { body: AssessWcoRequest, response: AssessmentRegistered },
});
