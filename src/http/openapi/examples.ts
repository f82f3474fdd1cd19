import { CALLBACK_TYPES, CALLBACKS, type CallbackType } from '../../contract/callbacks.ts';
import {
  type Customer,
  type DriverAction,
  DriverAnswer,
  DriverDescription,
  type DriverParameters,
  DriverRequest,
} from '../../contract/customers.ts';
import type { RefusalKind } from '../../contract/errors.ts';
import { natural } from '../../contract/persons.ts';
import { type Refusal, refusals } from '../../contract/refusals.ts';
import { VASP_API, VaspCallbackAnswer, type VaspOperation } from '../../contract/vasp-api.ts';
import { MAX_BODY_BYTES } from '../body.ts';
import type { Json, Schemas } from './schemas.ts';

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

/** WIRE-3: the requests that a VASP receives, at the endpoints of its registration. */

const QUESTIONS: Readonly<Record<Exclude<VaspOperation, 'callback'>, { summary: string; description: string }>> = {
  verifyAccount: {
    summary: 'Does this account belong to you, and to the named person if there is one?',
    description:
      'Sent to the beneficiary VASP, at `endpoints.verifyAccount`. The answer is due within one second (WIRE-3.1).',
  },
  verifyUser: {
    summary: 'May this originator pay your customer?',
    description:
      'Sent to the beneficiary VASP, at `endpoints.verifyUser`. The answer is due within five seconds (WIRE-3.2).',
  },
  transactionStatus: {
    summary: 'What is the status of your transaction?',
    description:
      'Sent to the originating VASP, at `endpoints.transactionStatus`. The answer is due within one second (WIRE-3.3).',
  },
};

export const webhooks = (schemas: Schemas): Json => ({
  ...Object.fromEntries(
    (Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]).map(operation => [
      operation,
      { post: { operationId: `vasp-${operation}`, ...question(operation, schemas) } },
    ]),
  ),
  driver: {
    post: { operationId: 'vasp-driver', ...drive(schemas) },
    get: { operationId: 'vasp-driver-description', ...describeDriver(schemas) },
  },
  ...Object.fromEntries(
    CALLBACK_TYPES.map(type => [type, { post: { operationId: `vasp-callback-${type}`, ...callback(type, schemas) } }]),
  ),
});

/** For the address of the registration: a runtime expression can read nothing of it. */
const CALLBACK_URL = 'https://vasp.example/callback';

/** The same callbacks, shown at the operation that causes them. Generators name their code by the id of each. */
export const callbacksOf = (operationId: string, types: readonly CallbackType[] = [], schemas: Schemas): Json =>
  types.length === 0
    ? {}
    : {
        callbacks: Object.fromEntries(
          types.map(type => [
            type,
            { [CALLBACK_URL]: { post: { operationId: `${operationId}-${type}`, ...callback(type, schemas) } } },
          ]),
        ),
      };

const question = (operation: keyof typeof QUESTIONS, schemas: Schemas): Json => {
  const { request, answer } = VASP_API[operation];
  const { summary, description } = QUESTIONS[operation];
  return received(summary, description, json(schemas.of(request, 'output'), CALLED[operation].request), {
    200: {
      description: 'The answer. D-12 and D-16 describe late, malformed and other answers.',
      content: json(schemas.of(answer, 'input'), CALLED[operation].answer),
    },
  });
};

const drive = (schemas: Schemas): Json => {
  const examples = Object.fromEntries(Object.entries(driverOrders()).map(([action, value]) => [action, { value }]));
  const refusal = schemas.named('DriverRefusal', {
    type: 'object',
    required: ['code'],
    properties: { code: { const: 'NOT-SUPPORTED' }, message: { type: 'string' } },
  });
  return received(
    'Act: send, report or assess',
    'Sent by a test run, at the driver endpoint (`endpoints.driver`, or that of the run). Answer at once, then act. Optional: without a driver a person acts.',
    { 'application/json': { schema: schemas.of(DriverRequest, 'output'), examples } },
    {
      200: { description: 'The action is done, or begins.', content: json(schemas.of(DriverAnswer, 'input'), BALANCE) },
      202: { description: 'The action begins.', content: json(schemas.of(DriverAnswer, 'input'), {}) },
      501: {
        description: 'This VASP cannot do it: `{"code":"NOT-SUPPORTED"}`.',
        content: json(refusal, { code: 'NOT-SUPPORTED' }),
      },
    },
  );
};

const describeDriver = (schemas: Schemas): Json =>
  received('Your actions and customers', 'Optional. With it a run needs no customers file.', undefined, {
    200: { description: 'Actions and customers.', content: json(schemas.of(DriverDescription, 'input'), DESCRIPTION) },
  });

/** `TX_REPORT` becomes `TxReport`. */
const inCamelCase = (type: string): string =>
  type.replace(/([A-Z])([A-Z]*)_?/g, (_, first: string, rest: string) => first + rest.toLowerCase());

const callback = (type: CallbackType, schemas: Schemas): Json => {
  const { receiver, trigger, mandatory, data } = CALLBACKS[type];
  const schema = schemas.named(`${inCamelCase(type)}Callback`, {
    type: 'object',
    required: ['callbackType', 'data'],
    properties: { callbackType: { const: type }, data: schemas.of(data, 'output') },
    additionalProperties: false,
  });
  return received(
    `To the ${receiver} VASP: ${trigger}`,
    `Sent to \`endpoints.callback\` (WIRE-3.4), and signed once the VASP has a signing secret: \`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`.${mandatory ? ' Every VASP must handle it.' : ''}`,
    json(schema, callbackBody(type)),
    {
      200: {
        description: 'Received. After another status, or without an answer in time, the callback is sent again (D-13).',
        content: json(schemas.of(VaspCallbackAnswer, 'input'), { result: true }),
      },
      410: { description: 'The delivery ends (D-40).' },
    },
  );
};

export const TAG = {
  name: 'your VASP',
  description: 'The requests that your VASP receives, at the endpoints of its registration.',
};

/** Header and token are those of the registration, if it has any. */
const received = (summary: string, description: string, content: Json | undefined, responses: Json): Json => ({
  tags: [TAG.name],
  summary,
  description,
  security: [{}, { vaspToken: [] }],
  ...(content ? { requestBody: { required: true, content } } : {}),
  responses,
});

const json = (schema: Json, example: object): Json => ({ 'application/json': { schema, example } });

const UUID = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

/** One refusal of each kind, for the example messages of the document. */
export const EXAMPLE_REFUSALS: Readonly<Record<RefusalKind, Refusal>> = {
  'missing-field': refusals.missingField('verificationUuid'),
  'invalid-field': refusals.invalidField('verificationUuid', 'should be text'),
  'not-json': refusals.notJson(),
  'not-object': refusals.notObject(),
  'too-large': refusals.tooLarge(MAX_BODY_BYTES),
  'unsupported-media': refusals.unsupportedCoding('gzip'),
  'unknown-path': refusals.unknownPath(),
  'wrong-method': refusals.wrongMethod(['GET', 'HEAD']),
  unauthorized: refusals.unauthorized(),
  forbidden: refusals.forbidden('This request is only for the operator.'),
  suspended: refusals.suspended(),
  'rate-limited': refusals.rateLimited(1),
  'quota-exceeded': refusals.quotaExceeded('users (1000 users)', 'Remove some.', 60),
  'already-registered': refusals.alreadyRegistered('15952089931162060684'),
  'no-host': refusals.noHost(),
  'foreign-host': refusals.foreignHost(),
  'foreign-origin': refusals.foreignOrigin(),
  'bad-target': refusals.badTarget(),
  'too-many': refusals.tooMany('event streams', 1000),
  'verification-missing': refusals.verificationMissing(UUID),
  'not-beneficiary': refusals.notBeneficiary(),
  'not-originator': refusals.notOriginator(),
  'not-verified': refusals.notVerified(UUID),
  'not-completed': refusals.notCompleted(UUID),
  'already-reported': refusals.alreadyReported(UUID),
  'too-many-reports': refusals.tooManyReports(50),
  'unknown-vasp': refusals.unknownVasp(),
  'vasp-not-active': refusals.vaspNotActive(),
  'invalid-key-type': refusals.invalidKeyType(),
  'required-info-without-account-number': refusals.requiredInfoWithoutAccountNumber(),
  'invalid-result': refusals.invalidResult(),
  'no-answer': refusals.noAnswer(5000),
  'txhash-not-reported': refusals.txHashNotReported(),
  'provider-refused': refusals.providerRefused(),
  'group-not-found': refusals.groupNotFound(),
  'insufficient-balance': refusals.insufficientBalance('ETH', '0.024', '0.01'),
  'unknown-symbol': refusals.unknownSymbol('BTC'),
  'unknown-address': refusals.unknownAddress('address'),
  'embedded-only': refusals.embeddedOnly(),
  'faucet-unreachable': refusals.faucetUnreachable('ETH'),
  'chain-unreachable': refusals.chainUnreachable('ETH', 'connect ECONNREFUSED'),
  'address-not-allowed': refusals.addressNotAllowed('endpoints.callback', 'should be a public one'),
  'chain-refused': refusals.chainRefused('depth', 'was refused by the chain: the chain has only 3 blocks.'),
  'run-under-way': refusals.runUnderWay('8557f2b2-985e-431f-8d52-75c2e5a01e46'),
  'place-taken': refusals.placeTaken('VASP 15952089931162058999 has registered its own endpoints.'),
  'not-found': refusals.notFound('Callback', '7', '/sandbox/v1/callbacks'),
};
