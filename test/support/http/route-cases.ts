import type { Operation } from '../../../src/contract/errors.ts';
import {
  accountAtRobot,
  type ChainlessWorld,
  type RegisteredVasp,
  toRobot,
  toVasp,
  verifiedBy,
} from '../world/chainless-world.ts';

/** The data that must exist before the table is run. */
export interface PreparedVerifications {
  world: ChainlessWorld;
  beneficiary: RegisteredVasp;
  stranger: RegisteredVasp & { apiKey: string };
  /** VERIFIED: the tested VASP is the originating VASP, `beneficiary` answered. */
  uuid: string;
  /** VERIFIED by the robot. */
  ofRobot: string;
}

export async function prepareVerifications(world: ChainlessWorld): Promise<PreparedVerifications> {
  const beneficiary = await world.register('7001');
  const stranger = await world.register('7002');
  const uuid = await verifiedBy(world, toVasp(world, beneficiary.vaspId));
  const ofRobot = await verifiedBy(world, toRobot(world));
  await world.api.advance('0s');
  return { world, beneficiary, stranger, uuid, ofRobot };
}

type Refusal = readonly [status: number, code: string];

/** One operation with a body. */
export interface RouteCase {
  operation: Operation;
  method?: 'PUT' | 'PATCH';
  path: string;
  /** A body that nothing is wrong with. */
  body(bench: PreparedVerifications): object;
  /** Dotted path of every required field -> the code when it is missing. */
  required: Record<string, string>;
  /** Fields with a closed list of values -> the code of another value. */
  enums?: Record<string, string>;
  /** Texts that may be left out, of a bounded length. */
  optionalTexts?: readonly string[];
  unknownUuid?: Refusal;
  /** Asked by a VASP that has no part in the verification. */
  foreign?: Refusal;
}

const account = (prefix: string, withPersons: boolean) => ({
  [prefix]: `MISSING-${prefix.split('.').at(-1)!.toUpperCase()}`,
  [`${prefix}.accountNumber`]: 'MISSING-ACCOUNT-NUMBER',
  ...(withPersons
    ? { [`${prefix}.${prefix.split('.').at(-1)}Persons`]: `MISSING-${prefix.split('.').at(-1)!.toUpperCase()}-PERSONS` }
    : {}),
});
const payload = {
  payload: 'MISSING-PAYLOAD',
  'payload.version': 'MISSING-VERSION',
  'payload.ivms101': 'MISSING-IVMS101',
};
const addressee = { keyType: 'MISSING-KEY-TYPE', beneficiaryVaspId: 'MISSING-VASP' };
const uuid = { verificationUuid: 'MISSING-VERIFICATION-UUID' };
const keyTypes = { keyType: 'INVALID-KEY-TYPE' };

const verifyAccount = {
  required: { ...addressee, symbol: 'MISSING-SYMBOL', ...payload, ...account('payload.ivms101.beneficiary', false) },
  enums: keyTypes,
  optionalTexts: ['network'],
};
const verifyUser = {
  required: {
    ...addressee,
    assetInfo: 'MISSING-ASSET-INFO',
    'assetInfo.symbol': 'MISSING-SYMBOL',
    'assetInfo.amount': 'MISSING-AMOUNT',
    'assetInfo.isExceedingThreshold': 'MISSING-IS-EXCEEDING-THRESHOLD',
    'assetInfo.tradePrice': 'MISSING-TRADE-PRICE',
    'assetInfo.tradeCurrency': 'MISSING-TRADE-CURRENCY',
    'assetInfo.tradeISODatetime': 'MISSING-TRADE-ISO-DATETIME',
    requiredBeneficiaryInfo: 'MISSING-REQUIRED-BENEFICIARY-INFO',
    ...payload,
    ...account('payload.ivms101.originator', true),
    ...account('payload.ivms101.beneficiary', true),
  },
  enums: keyTypes,
  optionalTexts: ['assetInfo.network'],
};
const reportError = {
  required: { ...uuid, result: 'MISSING-RESULT', reason: 'MISSING-REASON' },
  enums: { result: 'INVALID-RESULT' },
  optionalTexts: ['message'],
};
const errorReport = (verificationUuid: string) => ({ verificationUuid, result: 'ERROR', reason: 'USER-CANCELED' });

const missingInBody: Refusal = [400, 'VERIFICATION-NOT-FOUND'];
const missingInPath: Refusal = [404, 'VERIFICATION-NOT-FOUND'];
const missingInRisk: Refusal = [400, 'NOT-FOUND-VERIFICATION'];
const notMatched: Refusal = [400, 'VASP-NOT-MATCHED'];
const risk = {
  required: uuid,
  unknownUuid: missingInRisk,
  foreign: missingInRisk,
  body: (bench: PreparedVerifications) => ({ verificationUuid: bench.uuid }),
};
const ROBOT = '/vega/robot/v1.0/action';
const robotAction = { unknownUuid: missingInPath, foreign: missingInPath };

/** Every operation that takes a body, of the enclave, of the robot and of the sandbox. */
export const ROUTE_CASES: readonly RouteCase[] = [
  {
    operation: 'verify-account',
    path: '/v1/verifications/account',
    body: ({ world }) => accountAtRobot(world),
    ...verifyAccount,
  },
  { operation: 'verify-user', path: '/v1/verifications', body: ({ world }) => toRobot(world), ...verifyUser },
  {
    operation: 'report-transaction',
    path: '/v1/verifications/tx',
    body: bench => ({ verificationUuid: bench.uuid, txHash: '0xab' }),
    required: { ...uuid, txHash: 'MISSING-TX-HASH' },
    optionalTexts: ['vout'],
    unknownUuid: missingInBody,
    foreign: notMatched,
  },
  {
    operation: 'report-error',
    path: '/v1/verifications/error',
    body: bench => errorReport(bench.uuid),
    ...reportError,
    unknownUuid: missingInBody,
    foreign: notMatched,
  },
  {
    operation: 'inquire-transaction',
    path: '/v1/verifications/tx/inquiry',
    body: bench => ({ verificationUuid: bench.uuid }),
    required: uuid,
    unknownUuid: missingInBody,
    foreign: notMatched,
  },
  { operation: 'assess-sanction', path: '/v1/risk-assessment/providerA-sanction', ...risk },
  { operation: 'assess-kyt', path: '/v1/risk-assessment/providerA-kyt', ...risk, optionalTexts: ['network'] },
  { operation: 'assess-wco', path: '/v1/risk-assessment/providerB-wco', ...risk },
  {
    operation: 'robot-inquire-tx',
    path: `${ROBOT}/tx/inquiry`,
    body: bench => ({ verificationUuid: bench.ofRobot }),
    required: uuid,
    ...robotAction,
  },
  {
    operation: 'robot-verify-account',
    path: `${ROBOT}/verifications/account`,
    body: ({ world }) => ({ ...accountAtRobot(world), beneficiaryVaspId: world.vaspId }),
    ...verifyAccount,
  },
  {
    operation: 'robot-verify-user',
    path: `${ROBOT}/verifications`,
    body: ({ world }) => toVasp(world, world.vaspId),
    ...verifyUser,
  },
  {
    operation: 'robot-withdraw',
    path: `${ROBOT}/withdrawal`,
    body: bench => ({ verificationUuid: bench.ofRobot }),
    required: uuid,
    ...robotAction,
  },
  {
    operation: 'robot-report-tx',
    path: `${ROBOT}/verifications/tx`,
    body: bench => ({ verificationUuid: bench.ofRobot, txHash: '0xab' }),
    required: { ...uuid, txHash: 'MISSING-TX-HASH' },
    ...robotAction,
  },
  {
    operation: 'robot-report-error',
    path: `${ROBOT}/verifications/error`,
    body: bench => errorReport(bench.ofRobot),
    ...reportError,
    ...robotAction,
  },
  {
    operation: 'sandbox',
    path: '/sandbox/v1/ivms101/check',
    body: () => ({ payload: { naturalPerson: {} } }),
    required: { payload: 'MISSING-PAYLOAD' },
  },
  {
    operation: 'sandbox',
    path: '/sandbox/v1/clock/advance',
    body: () => ({ duration: '0s' }),
    required: { duration: 'MISSING-DURATION' },
  },
  {
    operation: 'sandbox',
    path: '/sandbox/v1/faucet',
    body: ({ world }) => ({ symbol: 'ETH', address: world.user('taylor-robbins').accounts.ETH, amount: '1' }),
    required: { symbol: 'MISSING-SYMBOL', address: 'MISSING-ADDRESS', amount: 'MISSING-AMOUNT' },
  },
  {
    operation: 'sandbox',
    method: 'PUT',
    path: '/sandbox/v1/faults',
    body: () => ({ target: 'answer.get-self', mode: 'status', status: 503 }),
    required: { target: 'MISSING-TARGET', mode: 'MISSING-MODE', status: 'MISSING-STATUS' },
    optionalTexts: ['code', 'message'],
  },
  {
    operation: 'sandbox',
    method: 'PUT',
    path: '/sandbox/v1/vasps/:vaspId',
    body: () => ({ name: 'New', endpoints: {}, authorization: { header: 'X-Key', token: 't' } }),
    required: { name: 'MISSING-NAME' },
    optionalTexts: ['authorization.token', 'endpoints.callback'],
  },
  {
    operation: 'sandbox',
    method: 'PATCH',
    path: '/sandbox/v1/vasps/:vaspId',
    body: () => ({ name: 'New', endpoints: {}, authorization: { token: 't' } }),
    required: {},
    optionalTexts: ['name', 'authorization.token', 'endpoints.callback'],
  },
  {
    operation: 'sandbox',
    method: 'PUT',
    path: '/sandbox/v1/users/:userId',
    body: () => ({ kind: 'natural', names: { lastName: 'Doe', firstName: 'Jo' }, kyc: true }),
    required: {
      kind: 'MISSING-KIND',
      names: 'MISSING-NAMES',
      'names.lastName': 'MISSING-LAST-NAME',
      'names.firstName': 'MISSING-FIRST-NAME',
      kyc: 'MISSING-KYC',
    },
    optionalTexts: ['behaviour'],
  },
  {
    operation: 'sandbox',
    path: '/sandbox/v1/runs',
    body: () => ({ plan: 'security', modules: ['S4'], unattended: true }),
    required: {},
    optionalTexts: ['plan'],
  },
  {
    operation: 'sandbox',
    method: 'PUT',
    path: '/sandbox/v1/reference-vasp',
    body: () => ({ running: false }),
    required: { running: 'MISSING-RUNNING' },
  },
  {
    operation: 'sandbox',
    path: '/sandbox/v1/transfers',
    body: () => ({ symbol: 'ETH', amount: '0.1' }),
    required: { symbol: 'MISSING-SYMBOL', amount: 'MISSING-AMOUNT' },
    optionalTexts: ['to', 'user'],
  },
];
