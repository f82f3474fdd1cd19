import type { CallbackType } from '../../contract/callbacks.ts';
import type { Customer } from '../../contract/customers.ts';
import type { DriverAction, DriverParameters } from '../../contract/driver.ts';
import { natural } from '../../contract/persons.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';

/** Complete bodies of every request that a VASP receives, and of its answers. The guide prints them (held by test). */

const VERIFICATION = 'b2b86264-f0fb-4f02-91f2-fe009fd2c07a';
const ENCLAVE_OF_OTHER = '17104899575711300402';
const HASH = '0x81bc4f1005dbb599307378c054563be3557df8152ba6c151537cab931511dc29';
const ROBOT_ACCOUNT = '0x392C0d694228d85D48eE977a9210D581AD7943C0';
const OWN_ACCOUNT = '0x2E4a582a6B5c8AaAB499099F57136183F9c54600';

const BORN = { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' } };
const OWN = { beneficiaryPersons: [natural('Barnes', 'Robert')], accountNumber: [OWN_ACCOUNT] };
const ROBOTS = { beneficiaryPersons: [natural('Robbins', 'Taylor')], accountNumber: [ROBOT_ACCOUNT] };

export const CALLED: Readonly<Record<Exclude<VaspOperation, 'callback'>, { request: object; answer: object }>> = {
  verifyAccount: {
    request: { originatingVaspId: ENCLAVE_OF_OTHER, symbol: 'ETH', version: '1.0', ivms101: { beneficiary: OWN } },
    answer: { accountVerificationResult: 'VERIFIED', verifiedAt: '2026-03-03T12:45:34.085Z' },
  },
  verifyUser: {
    request: {
      verificationUuid: VERIFICATION,
      assetInfo: {
        symbol: 'ETH',
        network: 'Ethereum',
        amount: '0.024',
        isExceedingThreshold: false,
        tradePrice: '96000',
        tradeCurrency: 'KRW',
        tradeISODatetime: '2026-03-03T12:45:34.085Z',
      },
      requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
      originatingVaspId: ENCLAVE_OF_OTHER,
      version: '1.0',
      ivms101: {
        originator: { originatorPersons: [natural('Robbins', 'Taylor', BORN)], accountNumber: [ROBOT_ACCOUNT] },
        beneficiary: OWN,
      },
    },
    answer: { result: 'VERIFIED', reason: 'OK', message: '', version: '1.0', ivms101: { beneficiary: OWN } },
  },
  transactionStatus: {
    request: { verificationUuid: VERIFICATION },
    answer: { verificationUuid: VERIFICATION, transactionStatus: 'CONFIRMED', txHash: HASH },
  },
};

const ASSESSED = {
  requestId: '5c48af07-8d5a-487a-a1f7-ff95afdc64fb',
  counterpartyVaspId: ENCLAVE_OF_OTHER,
  direction: 'OUTGOING',
  status: 'PROCESSED',
  createdAt: '2026-03-03T12:45:36.681Z',
  assessedAt: '2026-03-03T12:45:38.683Z',
};

const DATA: Readonly<Record<CallbackType, object>> = {
  VERIFICATION_RESULT: {
    verificationUuid: VERIFICATION,
    verificationResult: 'VERIFIED',
    reason: 'OK',
    message: '',
    ivms101: { beneficiary: ROBOTS },
  },
  TX_REPORT: { verificationUuid: VERIFICATION, txHash: HASH },
  ERROR_REPORT: { verificationUuid: VERIFICATION, result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled' },
  PROVIDER_A_KYT_RESULT: {
    verificationUuid: VERIFICATION,
    riskAssessment: {
      providerAKYT: {
        ...ASSESSED,
        apiType: 'ATTEMPT',
        userId: ENCLAVE_OF_OTHER,
        network: 'Ethereum',
        asset: 'ETH',
        amount: '0.024',
        usdPrice: '69.12',
        outputAddress: ROBOT_ACCOUNT,
        timestamp: '2026-03-03T12:45:36.681Z',
        externalId: '5c48102c-ab96-448f-b3e3-3eddceefa32b',
        alertCount: 1,
      },
      providerAKYTAlerts: [
        {
          counterpartyVaspId: ENCLAVE_OF_OTHER,
          externalId: '5c48102c-ab96-448f-b3e3-3eddceefa32b',
          direction: 'OUTGOING',
          alertId: '5c4825a9-8545-41d2-b18e-253d690c709f',
          alertLevel: 'LOW',
          entityCategory: 'gambling',
          serviceName: null,
          exposureType: 'INDIRECT',
          alertAmount: '6.91',
          createdAt: '2026-03-03T12:45:38.683Z',
        },
      ],
    },
  },
  PROVIDER_B_WCO_RESULT: {
    verificationUuid: VERIFICATION,
    riskAssessment: {
      providerBWCO: {
        ...ASSESSED,
        caseSystemId: '5c48ad6c-8132-42ff-b3c3-ffb4313bd4c1',
        matchStrength: 'WEAK',
        aggregatedSummaryResult: '{"total":1,"byStrength":{"WEAK":1},"byCategory":{"ADVERSE-MEDIA":1}}',
      },
    },
  },
};

export const callbackBody = (callbackType: CallbackType): object => ({ callbackType, data: DATA[callbackType] });

const CUSTOMER: Customer = {
  id: 'main',
  kind: 'natural',
  names: { lastName: 'Barnes', firstName: 'Robert' },
  dateOfBirth: '1990-02-28',
  placeOfBirth: 'Seoul',
  accounts: { ETH: OWN_ACCOUNT },
  kyc: true,
};

const PAYMENT: DriverParameters = {
  symbol: 'ETH',
  amount: '0.001479084819641',
  customer: CUSTOMER,
  beneficiary: {
    vaspId: ENCLAVE_OF_OTHER,
    user: { kind: 'natural', names: { lastName: 'Robbins', firstName: 'Taylor' } },
    account: ROBOT_ACCOUNT,
  },
};

const ORDERS: Readonly<Record<DriverAction, { module: string; parameters: DriverParameters }>> = {
  'verify-account': { module: 'W2.a', parameters: PAYMENT },
  'verify-user': { module: 'R1', parameters: PAYMENT },
  withdraw: { module: 'W4.1', parameters: PAYMENT },
  'send-without-report': { module: 'W4.2', parameters: PAYMENT },
  'report-error': { module: 'W4.3', parameters: PAYMENT },
  assess: { module: 'R2', parameters: { verificationUuid: VERIFICATION, kinds: ['kyt'] } },
  'list-vasps': { module: 'W1', parameters: {} },
  balance: { module: 'D3', parameters: { symbol: 'ETH', customer: CUSTOMER } },
};

export const driverOrders = (): Record<DriverAction, object> =>
  Object.fromEntries(
    Object.entries(ORDERS).map(([action, { module, parameters }]) => [
      action,
      {
        runId: '9a1d7f6e-4d0b-4b62-9c53-0a3f6f0e2b11',
        module,
        action,
        parameters,
        answerBy: '2026-03-03T12:45:44.085Z',
      },
    ]),
  ) as Record<DriverAction, object>;

/** The answer to `balance`; every other action is answered with `{}`. */
export const BALANCE = { value: '0.5' };

export const DESCRIPTION = { actions: Object.keys(ORDERS), customers: { customers: [CUSTOMER] } };
