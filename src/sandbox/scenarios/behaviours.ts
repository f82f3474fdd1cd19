import { AMOUNT } from '../../contract/sample-requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RobotUser } from '../../robot/control.ts';
import { BEHAVIOURS } from '../../robot/users/behaviours.ts';
import type { SandboxDeps } from '../deps.ts';
import { readyCall } from './ready-request.ts';
import { scenarioId } from './schema.ts';
import {
  advance,
  idle,
  paid,
  perSymbol,
  post,
  readVerification,
  report,
  type Step,
  type Subject,
  verifiedFor,
  verifyUser,
} from './steps.ts';

/** The calls that show each special behaviour of a user. */

interface BehaviourSubject extends Subject {
  /** The robot verifies, as originator, a customer of the calling VASP. */
  robotVerify: Step;
}
interface Recipe {
  steps(subject: BehaviourSubject): Step[];
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
  'NOT-ALLOWED': verification({ result: 'DENIED', reason: 'NOT-ALLOWED' }),
  'UNDEFINED-ERROR': verification({ result: 'DENIED', reason: 'UNDEFINED-ERROR' }),
  BLACKLISTED: verification({ result: 'DENIED', reason: 'BLACKLISTED' }),
  'MISMATCHED-NAME': verification({ result: 'DENIED', reason: 'MISMATCHED-NAME' }),
  'UNVERIFIED-KYC': verification({ result: 'DENIED', reason: 'UNVERIFIED-KYC' }),
  'UNKNOWN-SYMBOL': verification({ result: 'DENIED', reason: 'UNKNOWN-SYMBOL' }),
  'UNKNOWN-NETWORK': verification({ result: 'DENIED', reason: 'UNKNOWN-NETWORK' }),
  'UNKNOWN-ADDRESS': verification({ result: 'DENIED', reason: 'UNKNOWN-ADDRESS' }),
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
export function behaviourScenario(deps: SandboxDeps, user: RobotUser, caller: CallerId) {
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
