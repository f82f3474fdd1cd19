import type * as z from 'zod';
import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import type { PlansQuery } from '../contract/plan-list.ts';
import { PLANS, type PlanName } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import { clausesOf, type PlanModule, planOf } from './module.ts';
import { callbackEffects, callbacksAlone, callbacksAnswered } from './modules/c-callbacks.ts';
import { identities } from './modules/d-identities.ts';
import { accountAnswers } from './modules/d1-account-answers.ts';
import { onlyWanted } from './modules/d2-only-wanted.ts';
import { questionsAtOnce, userAnswers } from './modules/d2-user-answers.ts';
import { depositOfAnother, reportedDeposit, twoDepositsAtOnce, unreportedDeposits } from './modules/d3-deposits.ts';
import { canceledDeposits, correctedReports, movedPayment, twoCandidates } from './modules/d5-late-deposits.ts';
import { wrongPayments } from './modules/d7-wrong-payments.ts';
import { inquiries, secondAnswers } from './modules/d8-inquiries.ts';
import { latePayment, manyPayments, nodeTrouble, oneTransaction, otherForms } from './modules/d15-usual-payments.ts';
import { heldResults } from './modules/held-results.ts';
import { riskAssessments } from './modules/r-risk.ts';
import { riskyWithdrawals } from './modules/r-withdrawals.ts';
import { forgedDeposit, forgedResult, innerLife, security } from './modules/s-security.ts';
import { accountVerifications, failedAccountVerification, listOfVasps } from './modules/w1-vasps-and-accounts.ts';
import { deniedWithdrawals, equalThreshold, thresholds } from './modules/w3-thresholds.ts';
import { answerLost, timings } from './modules/w3-timing.ts';
import { userVerifications } from './modules/w3-user-verifications.ts';
import { exactPayments, twoAtOnce, twoEqual } from './modules/w4-several.ts';
import { slowLedger } from './modules/w4-slow-ledger.ts';
import { noTransfer, transferWithoutReport } from './modules/w4-status-queries.ts';
import { reportLost, transferAndReport } from './modules/w4-transfers.ts';
import {
  canceledWithdrawal,
  delegatedPayee,
  failedPayment,
  lostSending,
  refusedEstimate,
  refusedSending,
} from './modules/w4-trouble.ts';

/** The others then run side by side for as long as possible: where one only waits, another one works. */
const aloneFirst = (modules: readonly PlanModule[]): PlanModule[] => [
  ...modules.filter(({ alone }) => alone),
  ...modules.filter(({ alone }) => !alone),
];

const WITHDRAWALS = aloneFirst([
  ...heldResults,
  ...timings,
  answerLost,
  twoAtOnce,
  failedPayment,
  delegatedPayee,
  refusedEstimate,
  lostSending,
  refusedSending,
  transferAndReport,
  transferWithoutReport,
  canceledWithdrawal,
  noTransfer,
  reportLost,
  ...exactPayments,
  twoEqual,
  ...riskAssessments,
  ...deniedWithdrawals,
  ...riskyWithdrawals,
  forgedResult,
  failedAccountVerification,
]);

/**
 * All modules, in the order of a complete run. Those that are judged again at its end come first, and payments before
 * questions: nothing waits for them.
 */
export const MODULES: readonly PlanModule[] = [
  listOfVasps,
  callbacksAnswered,
  ...WITHDRAWALS,
  latePayment,
  innerLife,
  slowLedger,
  ...accountVerifications,
  ...userVerifications,
  ...thresholds,
  equalThreshold,
  ...accountAnswers,
  // From here on the balance judges credits. W4.6 is the last withdrawal, and waits until the balance shows it.
  ...callbacksAlone,
  inquiries,
  reportedDeposit,
  depositOfAnother,
  twoDepositsAtOnce,
  correctedReports,
  otherForms,
  manyPayments,
  oneTransaction,
  movedPayment,
  ...unreportedDeposits,
  ...canceledDeposits,
  twoCandidates,
  nodeTrouble,
  secondAnswers,
  ...wrongPayments,
  forgedDeposit,
  ...callbackEffects,
  ...userAnswers,
  questionsAtOnce,
  ...identities,
  onlyWanted,
  ...security,
];

export const moduleOf = (id: string): PlanModule | undefined => MODULES.find(each => each.id === id);

export const modulesOf = (plan: PlanName): readonly PlanModule[] =>
  MODULES.filter(each => plan === 'complete' || planOf(each) === plan);

export const symbolsOf = ({ symbols }: PlanModule): readonly AssetSymbol[] => symbols ?? ASSET_SYMBOLS;

/** `W3` names all modules of W3, and `D4` also D4.a and D4.b. */
export const isNamed = (id: string, names: readonly string[]): boolean =>
  names.some(name => id === name || id.startsWith(`${name}.`) || (/^[A-Z]$/.test(name) && id.startsWith(name)));

/** Throws `Refusal` invalid-field. */
export function requireModules(field: string, names: readonly string[], plan: PlanName): void {
  const ids = modulesOf(plan).map(({ id }) => id);
  const unknown = names.find(name => !ids.some(id => isNamed(id, [name])));
  if (unknown === undefined) return;
  const problem = `should name modules of this plan. ${unknown.slice(0, 64)} is none of ${ids.join(', ')}`;
  throw refusals.invalidField(field, problem);
}

/** Throws `Refusal` invalid-field. */
export function listPlans({ plan: wanted, module: named }: z.output<typeof PlansQuery>) {
  if (named !== undefined) requireModules('module', [named], wanted ?? 'complete');
  const plans = PLANS.filter(plan => wanted === undefined || plan === wanted).map(plan => ({
    plan,
    modules: modulesOf(plan)
      .filter(({ id }) => named === undefined || isNamed(id, [named]))
      .map(module => ({
        id: module.id,
        title: module.title,
        clauses: clausesOf(module),
        symbols: [...symbolsOf(module)],
        needs: [...module.needs],
        conditions: conditionsOf(module),
      })),
  }));
  return { plans };
}

export const conditionsOf = ({ id, conditions }: PlanModule) =>
  Object.entries(conditions).map(([word, { clause, severity = 'FAILURE', text }]) => ({
    id: `${id}.${word}`,
    clause,
    severity,
    text,
  }));
