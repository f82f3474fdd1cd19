import type { AssetSymbol } from '../contract/assets.ts';
import { REASON_CODES, REASONS, type Reason } from '../contract/clauses.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../contract/requests.ts';
import { AMOUNT, robotAccountRequest, robotUserRequest, userRequest } from '../contract/sample-requests.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { EnclaveControl } from '../enclave/control.ts';
import { type FaultMode, type FaultTarget, modesOf } from '../fault-injection/port.ts';
import { control, type Endpoint, type RequestExample } from '../http/endpoint.ts';
import type { ExamplesByOperation } from '../http/openapi.ts';
import type { RobotUser } from '../robot/control.ts';
import { BEHAVIOURS } from '../robot/users/user.ts';
import type { SandboxDeps } from './deps.ts';
import {
  advance,
  FOREIGN,
  idle,
  PROVOCATIONS,
  paid,
  perSymbol,
  post,
  readVerification,
  report,
  type Step,
  type Subject,
  userFor,
  verifiedFor,
  verifyUser,
} from './scenarios/provocations.ts';
import { readyCall, readyRequest } from './scenarios/ready-request.ts';
import { reportScenarios } from './scenarios/reports.ts';
import { scenarioCalls, scenarioId } from './scenarios/schema.ts';

export const scenarioEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(scenarioCalls.scenarios, {
    summary: 'List every outcome and behaviour with the exact input that provokes it',
    run: (_, caller) => listScenarios(deps, caller),
  }),
  control(scenarioCalls.readyRequest, {
    summary: 'Read a valid request of one operation, ready to send',
    refusals: ['not-found', 'unknown-symbol'],
    examples: { default: { params: { request: 'verify-user' } } },
    run: ({ query, params }, caller) => readyRequest(deps, params.request, query, caller),
  }),
];

/**
 * Every result, reason and special behaviour with the exact input that provokes it. The users are those of the calling
 * VASP; an outcome that none of them can provoke is left out.
 */
async function listScenarios(deps: SandboxDeps, caller: CallerId) {
  const users = (await deps.robot.usersOf(caller)).all();
  const possible = REASON_CODES.flatMap(reason => {
    const user = userFor(users, PROVOCATIONS[reason]);
    return user ? [{ reason, user }] : [];
  });
  const ordinary = possible.filter(({ reason }) => reason === 'OK').map(({ user }) => user);
  /** The data of the screening providers fit only unchanged users of the fixtures. */
  const isOfFixtures = (id: string) => users.some(user => user.id === id && user.source === 'fixture');
  return {
    scenarios: [
      ...possible.map(outcome => userVerification(deps, outcome)),
      ...possible
        .filter(({ reason }) => PROVOCATIONS[reason].isOfAccounts)
        .map(outcome => accountVerification(deps, outcome)),
      ...ordinary.flatMap(user => reportScenarios(deps.robot.vaspId, user)),
      ...users.flatMap(user => behaviourScenario(deps, user, caller)),
      ...deps.enclave.riskScenarios.filter(({ user }) => isOfFixtures(user)).map(assessment),
      ...ordinary.flatMap(user => faultScenarios(user.id)),
    ],
    transactionTypes: Object.fromEntries(
      Object.values(deps.networks).flatMap(({ symbol, transactionTypes }) =>
        transactionTypes ? [[symbol, [...transactionTypes]]] : [],
      ),
    ),
  };
}

interface Provoked {
  reason: Reason;
  user: RobotUser;
}

function userVerification(deps: SandboxDeps, outcome: Provoked) {
  const { reason, user } = outcome;
  return {
    id: scenarioId('verify-user', reason),
    operation: 'verify-user',
    user: user.id,
    how: PROVOCATIONS[reason].how,
    clause: REASONS[reason].clause,
    path: '/v1/verifications',
    ...(reason === 'REQUEST-TIMEOUT' ? { advance: '5s' } : {}),
    requests: perSymbol(symbol => changedRequest(deps, outcome, symbol)),
    expect: { verificationResult: REASONS[reason].result, reason },
  };
}

function accountVerification(deps: SandboxDeps, outcome: Provoked) {
  const { reason, user } = outcome;
  const isVerified = reason === 'OK';
  return {
    id: scenarioId('verify-account', reason),
    operation: 'verify-account',
    user: user.id,
    how: PROVOCATIONS[reason].how,
    clause: REASONS[reason].clause,
    path: '/v1/verifications/account',
    requests: perSymbol(symbol => asAccountRequest(changedRequest(deps, outcome, symbol))),
    expect: isVerified ? { accountVerificationResult: 'VERIFIED' } : { accountVerificationResult: 'DENIED', reason },
  };
}

const assessment = ({ operation, outcome, user, expect }: EnclaveControl['riskScenarios'][number]) => ({
  id: scenarioId(operation, outcome),
  operation,
  user,
  how: `assess a verification with ${user}`,
  expect,
});

function changedRequest(deps: SandboxDeps, { reason, user }: Provoked, symbol: AssetSymbol): VerifyUserRequest {
  const request = structuredClone(
    userRequest({ robotVaspId: deps.robot.vaspId, user, symbol, amount: AMOUNT, from: FOREIGN[symbol] }),
  );
  PROVOCATIONS[reason].change?.(request);
  return request;
}

/** The part of the request that an account verification has. */
function asAccountRequest({ beneficiaryVaspId, keyType, assetInfo, payload }: VerifyUserRequest): VerifyAccountRequest {
  const { version, ivms101 } = payload;
  const { symbol, network } = assetInfo;
  return {
    keyType,
    beneficiaryVaspId,
    symbol,
    network,
    payload: { version, ivms101: { beneficiary: ivms101.beneficiary } },
  };
}

/** One target of each kind. `answer` and `callback` include their operations and types. */
const KINDS: readonly FaultTarget[] = [
  'answer',
  'robot.verifyUser',
  'robot.verifyAccount',
  'robot.transactionStatus',
  'devnet',
  'callback',
];
const PARAMETERS: { readonly [M in FaultMode]?: object } = { delay: { delay: '500ms' }, status: { status: 503 } };

/** Entries of the catalogue: a fault and its effect. `user`: a user that is VERIFIED without a fault. */
const faultScenarios = (user: string) =>
  KINDS.flatMap(target =>
    modesOf(target).map(({ mode, meaning }) => ({
      id: scenarioId('fault', `${target} ${mode}`),
      operation: target,
      user,
      how: meaning,
      fault: { target, mode, ...PARAMETERS[mode], times: 1 },
    })),
  );

/** The calls that show each special behaviour of a user. */

interface Recipe {
  /** `robotVerify`: the robot verifies, as originator, a customer of the calling VASP. */
  steps(subject: Subject & { robotVerify: Step }): Step[];
  expect: object;
}

const WITHDRAWAL = '/vega/robot/v1.0/action/withdrawal';
const SANCTION = '/v1/risk-assessment/providerA-sanction';
/** Longer than the time limit of a verification and the delay of a late answer. */
const LONG = '10s';
const verificationUuid = '{verificationUuid}';

const verification = (expect: object, duration = '0s'): Recipe => ({
  steps: subject => [verifyUser(subject, AMOUNT), advance(duration), readVerification],
  expect,
});
const denied = (reason: Reason) => verification({ result: 'DENIED', reason });
/** The user must have received what it pays. */
const transfer = (status: string): Recipe => ({
  steps: ({ robotVerify, ...subject }) => [
    ...verifiedFor(subject, AMOUNT),
    paid(subject.symbol, subject.user.accounts[subject.symbol], AMOUNT),
    ...report('{txHash}'),
    robotVerify,
    idle,
    post(WITHDRAWAL, { verificationUuid }),
    advance(LONG),
    readVerification,
  ],
  expect: { money: { kind: 'transfer', status } },
});

/** A behaviour without a recipe does not compile. */
const RECIPES: Record<Exclude<keyof typeof BEHAVIOURS, 'ORDINARY'>, Recipe> = {
  'NEVER-ANSWERS': verification({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' }, LONG),
  'ANSWERS-LATE': verification({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' }, LONG),
  'ANSWERS-SLOWLY': verification({ result: 'VERIFIED' }, LONG),
  'CHANGES-ACCOUNT-NUMBER': verification({ result: 'ERROR', reason: 'BENEFICIARY-ACCOUNT-NOT-MATCHED' }),
  'NOT-ALLOWED': denied('NOT-ALLOWED'),
  'UNDEFINED-ERROR': denied('UNDEFINED-ERROR'),
  BLACKLISTED: denied('BLACKLISTED'),
  'MISMATCHED-NAME': denied('MISMATCHED-NAME'),
  'UNVERIFIED-KYC': denied('UNVERIFIED-KYC'),
  'UNKNOWN-SYMBOL': denied('UNKNOWN-SYMBOL'),
  'UNKNOWN-NETWORK': denied('UNKNOWN-NETWORK'),
  'UNKNOWN-ADDRESS': denied('UNKNOWN-ADDRESS'),
  UNKNOWN: verification({ result: 'UNKNOWN' }),
  'TRANSFER-PENDING': transfer('PENDING'),
  'TRANSFER-CANCELED': transfer('CANCELED'),
  'TRANSFER-MISNAMED': {
    steps: ({ robotVerify }) => [robotVerify, idle, post('/v1/verifications/tx/inquiry', { verificationUuid })],
    expect: { transactionStatus: 'CONFIRMED' },
  },
  'SANCTIONED-ADDRESS': {
    steps: subject => [verifyUser(subject, AMOUNT), idle, post(SANCTION, { verificationUuid })],
    expect: { providerASanction: { status: 'SANCTION' } },
  },
};

/** Without KYC an earlier rule decides, so the entry has no steps. */
function behaviourScenario(deps: SandboxDeps, user: RobotUser, caller: CallerId) {
  const { id, behaviour, kyc } = user;
  if (behaviour === 'ORDINARY') return [];
  const { operation, meaning: how, clause } = BEHAVIOURS[behaviour];
  const entry = { id: scenarioId('behaviour', id), operation, user: id, how, clause };
  if (!kyc) return [entry];
  const { steps, expect } = RECIPES[behaviour];
  const callsOf = (symbol: Subject['symbol']) => {
    const { path, body } = readyCall(deps, 'robot-verify-user', { symbol, user, amount: AMOUNT }, caller);
    return steps({ robotVaspId: deps.robot.vaspId, user, symbol, robotVerify: post(path, body) });
  };
  return [{ ...entry, steps: perSymbol(callsOf), expect }];
}

type Examples = Record<string, RequestExample>;

/** Example requests of the API document that contain users of the robot. */
export async function requestExamples(deps: SandboxDeps, vaspId: CallerId): Promise<ExamplesByOperation> {
  const user = userFor((await deps.robot.usersOf(vaspId)).all(), PROVOCATIONS.OK);
  const { scenarios } = await listScenarios(deps, vaspId);
  const examplesOf = (operation: string): Examples =>
    Object.assign({}, ...scenarios.filter(each => each.operation === operation).map(requestsOf));
  return {
    'verify-account': examplesOf('verify-account'),
    'verify-user': examplesOf('verify-user'),
    'robot-verify-account': perSymbol(symbol => ({
      body: robotAccountRequest({ vaspId, symbol, to: FOREIGN[symbol] }),
    })),
    ...(user && {
      'robot-balance': perSymbol(symbol => ({ query: { vaspId, symbol, address: user.accounts[symbol] } })),
      'robot-verify-user': perSymbol(symbol => ({
        body: robotUserRequest({ vaspId, user, symbol, amount: AMOUNT, to: FOREIGN[symbol] }),
      })),
    }),
  };
}

function requestsOf({ id, how, requests = {} }: { id: string; how: string; requests?: object }): Examples {
  const outcome = id.replace(/^.*: /, '');
  return Object.fromEntries(
    Object.entries(requests).map(([symbol, body]) => [
      `${outcome} with ${symbol}`,
      { summary: `${outcome} with ${symbol}: ${how}`, body },
    ]),
  );
}
