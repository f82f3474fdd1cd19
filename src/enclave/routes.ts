import {
  Accepted,
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
import { TransactionStatusResult } from '../contract/transaction-status.ts';
import { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import { VerificationResult } from '../contract/verification.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Enclave } from './port.ts';

/** `/v1`: the enclave, for the tested VASP. */
export const enclaveEndpoints = (enclave: Enclave): Endpoint[] => [
  endpoint({
    operation: 'get-self',
    method: 'GET',
    path: '/v1/vasps/self',
    summary: 'Own VASP identifier',
    response: SelfResponse,
    run: (_, caller) => enclave.self(caller),
  }),
  endpoint({
    operation: 'list-vasps',
    method: 'GET',
    path: '/v1/vasps',
    summary: 'List of VASPs',
    query: VaspsQuery,
    response: VaspsResponse,
    run: ({ query }, caller) => enclave.vasps(query, caller),
  }),
  endpoint({
    operation: 'verify-account',
    method: 'POST',
    path: '/v1/verifications/account',
    summary: 'Account verification (synchronous)',
    body: VerifyAccountRequest,
    response: VerifyAccountResponse,
    run: ({ body }, caller) => enclave.verifyAccount(body, caller),
  }),
  endpoint({
    operation: 'verify-user',
    method: 'POST',
    path: '/v1/verifications',
    summary: 'User verification (asynchronous: callback VERIFICATION_RESULT)',
    body: VerifyUserRequest,
    response: VerifyUserResponse,
    run: ({ body }, caller) => enclave.verifyUser(body, caller),
  }),
  endpoint({
    operation: 'list-verifications',
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List of verification results',
    query: ListQuery,
    response: ListResponse,
    run: ({ query }, caller) => enclave.list(query, caller),
  }),
  endpoint({
    operation: 'get-verification',
    method: 'GET',
    path: '/v1/verifications/:uuid',
    summary: 'One verification result',
    response: VerificationResult,
    run: ({ params }, caller) => enclave.get(params.uuid!, caller),
  }),
  endpoint({
    operation: 'report-transaction',
    method: 'POST',
    path: '/v1/verifications/tx',
    summary: 'Transaction result report',
    body: ReportTransactionRequest,
    response: Accepted,
    run: ({ body }, caller) => enclave.reportTransaction(body, caller),
  }),
  endpoint({
    operation: 'report-error',
    method: 'POST',
    path: '/v1/verifications/error',
    summary: 'Error report',
    body: ReportErrorRequest,
    response: Accepted,
    run: ({ body }, caller) => enclave.reportError(body, caller),
  }),
  endpoint({
    operation: 'inquire-transaction',
    method: 'POST',
    path: '/v1/verifications/tx/inquiry',
    summary: 'Transaction status query',
    body: InquireTransactionRequest,
    response: TransactionStatusResult,
    run: ({ body }, caller) => enclave.inquireTransaction(body, caller),
  }),
];
