import type { AssetSymbol } from '../contract/assets.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { PLANS, type PlanName } from '../contract/plans.ts';
import type { PlanModule } from './module.ts';
import { callbackEffects, callbacksAlone, callbacksAnswered } from './modules/c-callbacks.ts';
import { identities } from './modules/d-identities.ts';
import { accountAnswers } from './modules/d1-account-answers.ts';
import { questionsAtOnce } from './modules/d2-at-once.ts';
import { onlyWanted } from './modules/d2-only-wanted.ts';
import { userAnswers } from './modules/d2-user-answers.ts';
import { depositOfAnother, reportedDeposit, twoDepositsAtOnce } from './modules/d3-reported-deposit.ts';
import { unreportedDeposits } from './modules/d4-unreported-deposit.ts';
import { canceledDeposits } from './modules/d5-canceled-deposit.ts';
import { twoCandidates } from './modules/d6-two-candidates.ts';
import { wrongPayments } from './modules/d7-wrong-payments.ts';
import { inquiries } from './modules/d8-inquiries.ts';
import { correctedReports } from './modules/d13-corrected-reports.ts';
import { secondAnswers } from './modules/d14-second-answers.ts';
import { oneTransaction } from './modules/d15-one-transaction.ts';
import { movedPayment } from './modules/d16-moved-payment.ts';
import { latePayment, manyPayments, otherForms } from './modules/d17-usual-payments.ts';
import { nodeTrouble } from './modules/d20-node-trouble.ts';
import { heldResults } from './modules/held-results.ts';
import { riskAssessments } from './modules/r-risk.ts';
import { riskyWithdrawals } from './modules/r-withdrawals.ts';
import { forgedDeposit, forgedResult } from './modules/s-forgeries.ts';
import { innerLife } from './modules/s-inner-life.ts';
import { security } from './modules/s-security.ts';
import { listOfVasps } from './modules/w1-list-of-vasps.ts';
import { accountVerifications, failedAccountVerification } from './modules/w2-account-verifications.ts';
import { deniedWithdrawals } from './modules/w3-denied-withdrawals.ts';
import { equalThreshold } from './modules/w3-equal-threshold.ts';
import { thresholds } from './modules/w3-threshold.ts';
import { answerLost, timings } from './modules/w3-timing.ts';
import { userVerifications } from './modules/w3-user-verifications.ts';
import { canceledWithdrawal } from './modules/w4-canceled.ts';
import { exactPayments } from './modules/w4-exact-payments.ts';
import { delegatedPayee, failedPayment } from './modules/w4-failed-payment.ts';
import { lostSending } from './modules/w4-lost-sending.ts';
import { refusedEstimate } from './modules/w4-refused-estimate.ts';
import { refusedSending } from './modules/w4-refused-sending.ts';
import { slowLedger } from './modules/w4-slow-ledger.ts';
import { noTransfer, transferWithoutReport } from './modules/w4-status-queries.ts';
import { reportLost, transferAndReport } from './modules/w4-transfers.ts';
import { twoAtOnce } from './modules/w4-two-at-once.ts';
import { twoEqual } from './modules/w4-two-equal.ts';

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
  // From here on the balance judges credits. W4.6 pays, and waits until the balance shows it.
  ...callbacksAlone,
  slowLedger,
  latePayment,
  innerLife,
  inquiries,
  ...accountVerifications,
  ...userVerifications,
  ...thresholds,
  equalThreshold,
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
  ...accountAnswers,
  ...userAnswers,
  questionsAtOnce,
  ...identities,
  onlyWanted,
  ...security,
];

export const moduleOf = (id: string): PlanModule | undefined => MODULES.find(each => each.id === id);

export const modulesOf = (plan: PlanName): readonly PlanModule[] =>
  MODULES.filter(each => plan === 'complete' || each.plan === plan);

export const symbolsOf = ({ symbols }: PlanModule): readonly AssetSymbol[] => symbols ?? ASSET_SYMBOLS;

/** `W3` names all modules of W3, and `D4` also D4.a and D4.b. */
export const isNamed = (id: string, names: readonly string[]): boolean =>
  names.some(name => id === name || id.startsWith(`${name}.`) || (/^[A-Z]$/.test(name) && id.startsWith(name)));

export const listPlans = () => ({
  plans: PLANS.map(plan => ({
    plan,
    modules: modulesOf(plan).map(module => ({
      id: module.id,
      title: module.title,
      clauses: [...module.clauses],
      symbols: [...symbolsOf(module)],
      needs: [...module.needs],
      conditions: conditionsOf(module),
    })),
  })),
});

export const conditionsOf = ({ id, conditions }: PlanModule) =>
  Object.entries(conditions).map(([word, { clause, severity = 'FAILURE', text }]) => ({
    id: `${id}.${word}`,
    clause,
    severity,
    text,
  }));
