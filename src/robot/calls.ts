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
import { TransactionStatusResult } from '../contract/transaction-status.ts';
import { calls } from '../http/endpoint.ts';

/** `/vega/robot/v1.0` */

export const robotCalls = calls({
  balance: { query: BalanceQuery, response: BalanceResponse },
  letRobotInquire: { body: InquireTransactionRequest, response: TransactionStatusResult },
  letRobotVerifyAccount: { body: VerifyAccountRequest, response: VerifyAccountAnswer },
  letRobotVerifyUser: { body: VerifyUserRequest, response: VerifyUserAnswer },
  letRobotWithdraw: { body: WithdrawRequest, response: WithdrawResponse },
  letRobotReport: { body: ReportTransactionRequest, response: Accepted },
  letRobotReportError: { body: ReportErrorRequest, response: Accepted },
});
