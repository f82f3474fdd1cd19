import {
  Accepted,
  BalanceQuery,
  BalanceResponse,
  InquireTransactionRequest,
  ReportErrorRequest,
  ReportTransactionRequest,
  VerifyAccountAnswer,
  VerifyAccountRequest,
  VerifyUserAnswer,
  VerifyUserRequest,
  WithdrawRequest,
  WithdrawResponse,
} from '../contract/requests.ts';
import { TransactionStatusResult } from '../contract/verification.ts';
import { calls } from '../http/endpoint.ts';

/** `/vega/robot/v1.0` */

export const robotCalls = calls({
  balance: { query: BalanceQuery, response: BalanceResponse },
  robotInquire: { body: InquireTransactionRequest, response: TransactionStatusResult },
  robotVerifyAccount: { body: VerifyAccountRequest, response: VerifyAccountAnswer },
  robotVerifyUser: { body: VerifyUserRequest, response: VerifyUserAnswer },
  robotWithdraw: { body: WithdrawRequest, response: WithdrawResponse },
  robotReport: { body: ReportTransactionRequest, response: Accepted },
  robotReportError: { body: ReportErrorRequest, response: Accepted },
});
