import type { EnclaveOperation } from '../contract/errors.ts';
import { type Endpoint, endpoint, operations } from '../http/endpoint.ts';
import { enclaveCalls } from './calls.ts';
import type { Enclave } from './port.ts';

/** The enclave for the tested VASP, under `/v1`. */
export const enclaveEndpoints = (enclave: Enclave): Endpoint[] =>
  operations<EnclaveOperation>({
    'get-self': endpoint(enclaveCalls.self, {
      summary: 'Own VASP identifier',
      description: 'The identifier of the calling VASP (WIRE-2.1, D-01).',
      run: (_, caller) => enclave.self(caller),
    }),
    'list-vasps': endpoint(enclaveCalls.vasps, {
      summary: 'List of VASPs',
      description: 'The VASPs that can take part in transfers (WIRE-2.2, D-23).',
      run: ({ query }, caller) => enclave.vasps(query, caller),
    }),
    'verify-account': endpoint(enclaveCalls.verifyAccount, {
      summary: 'Account verification (synchronous)',
      description: 'Asks the beneficiary VASP (`verifyAccount`) and passes its answer on (WIRE-2.3).',
      run: ({ body }, caller) => enclave.verifyAccount(body, caller),
    }),
    'verify-user': endpoint(enclaveCalls.verifyUser, {
      summary: 'User verification (asynchronous: callback VERIFICATION_RESULT)',
      description:
        'Answers at once (WIRE-2.4). The enclave then asks the beneficiary VASP (`verifyUser`) and sends the result by ' +
        'callback. Each example is named after the result that it provokes (REF-2.3).',
      callbacks: ['VERIFICATION_RESULT'],
      run: ({ body }, caller) => enclave.verifyUser(body, caller),
    }),
    'list-verifications': endpoint(enclaveCalls.list, {
      summary: 'List of verification results',
      description: 'Newest first. All filters must match (WIRE-2.5, D-04).',
      run: ({ query }, caller) => enclave.list(query, caller),
    }),
    'get-verification': endpoint(enclaveCalls.verification, {
      summary: 'One verification result',
      description: 'An open verification has no `result` (REF-4.4, D-02).',
      precondition: 'verified',
      run: ({ params }, caller) => enclave.get(params.uuid, caller),
    }),
    'report-transaction': endpoint(enclaveCalls.reportTransaction, {
      summary: 'Transaction result report',
      description: 'The originating VASP reports as soon as it has the hash (WIRE-2.7, D-14).',
      callbacks: ['TX_REPORT'],
      precondition: 'verified',
      run: ({ body }, caller) => enclave.reportTransaction(body, caller),
    }),
    'report-error': endpoint(enclaveCalls.reportError, {
      summary: 'Error report',
      description: 'The originating VASP reports that the transfer will not take place (WIRE-2.8, D-15).',
      callbacks: ['ERROR_REPORT'],
      precondition: 'verified',
      run: ({ body }, caller) => enclave.reportError(body, caller),
    }),
    'inquire-transaction': endpoint(enclaveCalls.inquireTransaction, {
      summary: 'Transaction status query',
      description:
        'The beneficiary VASP inquires. The enclave asks the originating VASP (`transactionStatus`) and passes its answer on (REF-4.5, D-16).',
      precondition: 'verified-for-robot',
      run: ({ body }, caller) => enclave.inquireTransaction(body, caller),
    }),
    'assess-sanction': endpoint(enclaveCalls.assessSanction, {
      summary: 'Sanction screening of the counterparty address (synchronous)',
      description: 'Compares the address with the sanction lists (REF-4.1).',
      precondition: 'verified',
      run: ({ body }, caller) => enclave.assessSanction(body, caller),
    }),
    'assess-kyt': endpoint(enclaveCalls.assessKyt, {
      summary: 'Monitoring of an address or a transaction (asynchronous: callback PROVIDER_A_KYT_RESULT)',
      description: 'Assesses the address, or the transaction once it is reported (REF-4.2).',
      callbacks: ['PROVIDER_A_KYT_RESULT'],
      precondition: 'verified',
      run: ({ body }, caller) => enclave.assessKyt(body, caller),
    }),
    'assess-wco': endpoint(enclaveCalls.assessWco, {
      summary: 'Screening of the counterparty person (asynchronous: callback PROVIDER_B_WCO_RESULT)',
      description: 'Screens the person or organisation on the other side (REF-4.3).',
      callbacks: ['PROVIDER_B_WCO_RESULT'],
      precondition: 'verified',
      run: ({ body }, caller) => enclave.assessWco(body, caller),
    }),
  });
