import type { EnclaveOperation } from '../contract/errors.ts';
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
  VerifyAccountRequest,
  VerifyAccountResponse,
  VerifyUserRequest,
  VerifyUserResponse,
} from '../contract/requests.ts';
import { AssessmentRegistered, AssessSanctionResponse } from '../contract/risk.ts';
import { TransactionStatusResult } from '../contract/transaction-status.ts';
import { SelfResponse, VaspsQuery, VaspsResponse } from '../contract/vasps.ts';
import { VerificationResult } from '../contract/verification.ts';
import { type Endpoint, type EndpointsOf, endpoint, groupedEndpoint } from '../http/endpoint.ts';
import type { Enclave } from './port.ts';

/** The enclave for the tested VASP, under `/v1`. */
export const enclaveEndpoints = (enclave: Enclave): Endpoint[] => Object.values(endpointsOf(enclave));

const endpointsOf = (enclave: Enclave): EndpointsOf<EnclaveOperation> => ({
  'get-self': endpoint({
    operation: 'get-self',
    method: 'GET',
    path: '/v1/vasps/self',
    summary: 'Own VASP identifier',
    description: 'The identifier of the calling VASP (WIRE-2.1, D-01).',
    response: SelfResponse,
    run: (_, caller) => enclave.self(caller),
  }),
  'list-vasps': endpoint({
    operation: 'list-vasps',
    method: 'GET',
    path: '/v1/vasps',
    summary: 'List of VASPs',
    query: VaspsQuery,
    description: 'The VASPs that can take part in transfers (WIRE-2.2, D-23).',
    response: VaspsResponse,
    isKept: true,
    run: ({ query }, caller) => enclave.vasps(query, caller),
  }),
  'verify-account': endpoint({
    operation: 'verify-account',
    method: 'POST',
    path: '/v1/verifications/account',
    summary: 'Account verification (synchronous)',
    body: VerifyAccountRequest,
    description: 'Asks the beneficiary VASP (`verifyAccount`) and passes its answer on (WIRE-2.3).',
    response: VerifyAccountResponse,
    run: ({ body }, caller) => enclave.verifyAccount(body, caller),
  }),
  'verify-user': groupedEndpoint({
    operation: 'verify-user',
    method: 'POST',
    path: '/v1/verifications',
    summary: 'User verification (asynchronous: callback VERIFICATION_RESULT)',
    body: VerifyUserRequest,
    description:
      'Answers at once (WIRE-2.4). The enclave then asks the beneficiary VASP (`verifyUser`) and sends the result by ' +
      'callback. Each example is named after the result that it provokes (REF-2.3).',
    callbacks: ['VERIFICATION_RESULT'],
    response: VerifyUserResponse,
    run: ({ body }, caller) => enclave.prepareVerification(body, caller),
  }),
  'list-verifications': endpoint({
    operation: 'list-verifications',
    method: 'GET',
    path: '/v1/verifications',
    summary: 'List of verification results',
    query: ListQuery,
    description: 'Newest first. All filters must match (WIRE-2.5, D-04).',
    response: ListResponse,
    run: ({ query }, caller) => enclave.list(query, caller),
  }),
  'get-verification': endpoint({
    operation: 'get-verification',
    method: 'GET',
    path: '/v1/verifications/:uuid',
    summary: 'One verification result',
    description: 'An open verification has no `result` (REF-4.4, D-02).',
    precondition: 'verified',
    response: VerificationResult,
    run: ({ params }, caller) => enclave.get(params.uuid, caller),
  }),
  'report-transaction': groupedEndpoint({
    operation: 'report-transaction',
    method: 'POST',
    path: '/v1/verifications/tx',
    summary: 'Transaction result report',
    body: ReportTransactionRequest,
    description: 'The originating VASP reports as soon as it has the hash (WIRE-2.7, D-14).',
    callbacks: ['TX_REPORT'],
    precondition: 'verified',
    response: Accepted,
    run:
      ({ body }, caller) =>
      () =>
        enclave.reportTransaction(body, caller),
  }),
  'report-error': groupedEndpoint({
    operation: 'report-error',
    method: 'POST',
    path: '/v1/verifications/error',
    summary: 'Error report',
    body: ReportErrorRequest,
    description: 'The originating VASP reports that the transfer will not take place (WIRE-2.8, D-15).',
    callbacks: ['ERROR_REPORT'],
    precondition: 'verified',
    response: Accepted,
    run:
      ({ body }, caller) =>
      () =>
        enclave.reportError(body, caller),
  }),
  'inquire-transaction': endpoint({
    operation: 'inquire-transaction',
    method: 'POST',
    path: '/v1/verifications/tx/inquiry',
    summary: 'Transaction status query',
    body: InquireTransactionRequest,
    description:
      'The beneficiary VASP inquires. The enclave asks the originating VASP (`transactionStatus`) and passes its answer on (REF-4.5, D-16).',
    precondition: 'verified-for-robot',
    response: TransactionStatusResult,
    run: ({ body }, caller) => enclave.inquireTransaction(body, caller),
  }),
  'assess-sanction': endpoint({
    operation: 'assess-sanction',
    method: 'POST',
    path: '/v1/risk-assessment/providerA-sanction',
    summary: 'Sanction screening of the counterparty address (synchronous)',
    body: AssessSanctionRequest,
    description: 'Compares the address with the sanction lists (REF-4.1).',
    precondition: 'verified',
    response: AssessSanctionResponse,
    run: ({ body }, caller) => enclave.assessSanction(body, caller),
  }),
  'assess-kyt': endpoint({
    operation: 'assess-kyt',
    method: 'POST',
    path: '/v1/risk-assessment/providerA-kyt',
    summary: 'Monitoring of an address or a transaction (asynchronous: callback PROVIDER_A_KYT_RESULT)',
    body: AssessKytRequest,
    description: 'Assesses the address, or the transaction once it is reported (REF-4.2).',
    callbacks: ['PROVIDER_A_KYT_RESULT'],
    precondition: 'verified',
    response: AssessmentRegistered,
    run: ({ body }, caller) => enclave.assessKyt(body, caller),
  }),
  'assess-wco': endpoint({
    operation: 'assess-wco',
    method: 'POST',
    path: '/v1/risk-assessment/providerB-wco',
    summary: 'Screening of the counterparty person (asynchronous: callback PROVIDER_B_WCO_RESULT)',
    body: AssessWcoRequest,
    description: 'Screens the person or organisation on the other side (REF-4.3).',
    callbacks: ['PROVIDER_B_WCO_RESULT'],
    precondition: 'verified',
    response: AssessmentRegistered,
    run: ({ body }, caller) => enclave.assessWco(body, caller),
  }),
});
