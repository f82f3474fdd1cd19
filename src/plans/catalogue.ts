import type { AssetSymbol } from '../contract/assets.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { PLANS, type PlanName } from '../contract/plans.ts';
import type { PlanModule } from './module.ts';
import {
  callbackAgain,
  callbacksAnswered,
  manyCallbacks,
  orderTurnedRound,
  sameCallbackTwice,
  unknownCallbackType,
  unknownMembers,
} from './modules/c-callbacks.ts';
import { accountAnswers } from './modules/d1-account-answers.ts';
import { userAnswers } from './modules/d2-user-answers.ts';
import { reportedDeposit } from './modules/d3-reported-deposit.ts';
import { unreportedDeposit } from './modules/d4-unreported-deposit.ts';
import { canceledDeposit } from './modules/d5-canceled-deposit.ts';
import { twoCandidates } from './modules/d6-two-candidates.ts';
import { paidTooLittle, paidTwice, paidWithOtherTag } from './modules/d7-wrong-payments.ts';
import { encrypted, nothingRevealed, tokenWanted, wrongBodiesRefused } from './modules/s-security.ts';

/** All modules, in the order of a complete run. */
export const MODULES: readonly PlanModule[] = [
  ...accountAnswers,
  ...userAnswers,
  reportedDeposit,
  unreportedDeposit,
  canceledDeposit,
  twoCandidates,
  paidTooLittle,
  paidTwice,
  paidWithOtherTag,
  callbacksAnswered,
  sameCallbackTwice,
  orderTurnedRound,
  callbackAgain,
  unknownCallbackType,
  unknownMembers,
  manyCallbacks,
  tokenWanted,
  wrongBodiesRefused,
  nothingRevealed,
  encrypted,
];

export const moduleOf = (id: string): PlanModule | undefined => MODULES.find(each => each.id === id);

export const modulesOf = (plan: PlanName): readonly PlanModule[] =>
  plan === 'complete' ? MODULES : MODULES.filter(each => each.plan === plan);

export const symbolsOf = ({ symbols }: PlanModule): readonly AssetSymbol[] => symbols ?? ASSET_SYMBOLS;

/** `W3` names all modules of W3. */
export const isNamed = (id: string, names: readonly string[]): boolean =>
  names.some(
    name => id === name || id.startsWith(`${name}.`) || (/^[A-Z]$/.test(name) && id.startsWith(name)),
  );

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
