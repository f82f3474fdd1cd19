import * as requests from '../contract/requests.ts';
import { AssessmentRegistered, AssessSanctionAnswer } from '../contract/risk.ts';
import { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import { TransactionStatusResult, VerificationResult } from '../contract/verification.ts';
import { calls } from '../http/endpoint.ts';

/** `/v1` */

export const enclaveCalls = calls({
  self: { response: SelfResponse },
  vasps: { query: VaspsQuery, response: VaspsResponse },
  verifyAccount: { body: requests.VerifyAccountRequest, response: requests.VerifyAccountAnswer },
  verifyUser: { body: requests.VerifyUserRequest, response: requests.VerifyUserAnswer },
  list: { query: requests.ListQuery, response: requests.ListResponse },
  verification: { response: VerificationResult },
  reportTransaction: { body: requests.ReportTransactionRequest, response: requests.Accepted },
  reportError: { body: requests.ReportErrorRequest, response: requests.Accepted },
  inquireTransaction: { body: requests.InquireTransactionRequest, response: TransactionStatusResult },
  assessSanction: { body: requests.AssessSanctionRequest, response: AssessSanctionAnswer },
  assessKyt: { body: requests.AssessKytRequest, response: AssessmentRegistered },
  assessWco: { body: requests.AssessWcoRequest, response: AssessmentRegistered },
});
