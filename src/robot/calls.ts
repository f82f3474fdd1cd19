import * as requests from '../contract/requests.ts';
import { TransactionStatusResult } from '../contract/verification.ts';
import { calls } from '../http/endpoint.ts';

/** `/vega/robot/v1.0` */

export const robotCalls = calls({
  balance: { query: requests.BalanceQuery, response: requests.BalanceResponse },
  robotInquire: { body: requests.InquireTransactionRequest, response: TransactionStatusResult },
  robotVerifyAccount: { body: requests.VerifyAccountRequest, response: requests.VerifyAccountAnswer },
  robotVerifyUser: { body: requests.VerifyUserRequest, response: requests.VerifyUserAnswer },
  robotWithdraw: { body: requests.WithdrawRequest, response: requests.WithdrawResponse },
  robotReport: { body: requests.ReportTransactionRequest, response: requests.Accepted },
  robotReportError: { body: requests.ReportErrorRequest, response: requests.Accepted },
});
