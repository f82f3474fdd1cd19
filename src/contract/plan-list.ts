import * as z from 'zod';
import { clause, PlanName, PlanSymbol, severity } from './plans.ts';
import { named, optional, text } from './text.ts';

export const PlansQuery = named('PlansQuery', 'The plans and modules to list. Default: all.', {
  plan: optional(PlanName).describe('Only this plan.'),
  module: optional(text(64)).describe('Only these modules: `W3` means all of W3.'),
});
export const PlansResponse = named('PlansResponse', 'Every plan with its modules and conditions.', {
  plans: z.array(
    z.object({
      plan: PlanName,
      modules: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          clauses: z.array(clause),
          symbols: z.array(PlanSymbol).describe('Empty: the module runs once.'),
          needs: z.array(z.string()),
          conditions: z.array(z.object({ id: z.string(), clause, severity, text: z.string() })),
        }),
      ),
    }),
  ),
});

/** The rules of judging in their order, and the clauses that each one holds. */
export const RULE_CLAUSES = {
  symbol: 'REF-4.6.3',
  network: 'REF-2.3, D-07',
  address: 'REF-4.6.4, REF-4.6.6, D-08',
  name: 'REF-4.6.6, REF-4.6.7, D-09',
  kyc: 'REF-4.6.7',
  'required-info': 'REF-4.6, D-10',
  'originator-info': 'REF-4.6.8, D-10, D-28',
  'listed-originator': 'REF-4.6.9, D-11',
  behaviour: 'REF-2.3',
} as const;
export type RuleName = keyof typeof RULE_CLAUSES;

export interface RuleOutcome {
  readonly rule: RuleName;
  readonly clause: string;
  readonly outcome: 'passed' | 'decided';
  readonly field?: string;
  readonly detail?: string;
}

/** As the history keeps them: the rules before the one that decided have passed. */
export interface KeptOutcomes {
  passed: number;
  decided: RuleOutcome | undefined;
}

export const keptOutcomes = (steps: readonly RuleOutcome[]): KeptOutcomes => ({
  passed: steps.filter(({ outcome }) => outcome === 'passed').length,
  decided: steps.find(({ outcome }) => outcome === 'decided'),
});

export const outcomesOf = ({ passed, decided }: KeptOutcomes): RuleOutcome[] => [
  ...(Object.keys(RULE_CLAUSES) as RuleName[])
    .slice(0, passed)
    .map(rule => ({ rule, clause: RULE_CLAUSES[rule], outcome: 'passed' as const })),
  ...(decided ? [decided] : []),
];

/** D-24: what became of a transaction that the originating VASP named. One row per verdict. */

interface VerdictRow {
  /** waiting: the verdict can still change by itself. wrong: the named transaction is not credited. */
  readonly kind: 'waiting' | 'wrong' | 'credited';
  readonly meaning: string;
  /** The next step of the originating VASP. */
  readonly advice: string;
}

export const REPORT_VERDICTS = {
  AWAITED: {
    kind: 'waiting',
    meaning: 'No node knows the transaction yet.',
    advice: 'Send the transaction, and check that the hash is exactly as the node printed it.',
  },
  'NOT-FOUND': {
    kind: 'wrong',
    meaning: 'After 10 minutes no node knows the transaction.',
    advice:
      'Check network and hash, then report the right hash. The transaction is still credited if it is mined later.',
  },
  'NOT-FINAL': {
    kind: 'waiting',
    meaning: 'The transaction is not final yet.',
    advice: 'Wait. If no block takes the transaction, send those whose numbers (nonces) are missing, or raise its fee.',
  },
  REPLACED: {
    kind: 'wrong',
    meaning: 'Another transaction of the same sender has used the number (nonce) of the reported one.',
    advice:
      'Report the transaction that took its place if that one pays. Otherwise pay again, or send an error report.',
  },
  REVERTED: {
    kind: 'wrong',
    meaning: 'The transaction failed on the chain and has moved nothing.',
    advice: 'Pay again and report the new hash, or send an error report.',
  },
  BATCH: {
    kind: 'wrong',
    meaning: 'The transaction is a Batch, which moves nothing itself. One of its inner transactions has paid.',
    advice: 'Report the hash of the inner transaction.',
  },
  'WRONG-RECIPIENT': {
    kind: 'wrong',
    meaning: 'The transaction has not paid the verified address.',
    advice: 'Report the hash of the transaction that has paid the verified address, or pay that address.',
  },
  'WRONG-TAG': {
    kind: 'wrong',
    meaning: 'The payment has another destination tag than the verified address, or none.',
    advice: 'Pay with the tag of the verified address and report that hash.',
  },
  'WRONG-AMOUNT': {
    kind: 'wrong',
    meaning: 'The payment has another amount than the verification.',
    advice: 'Pay the verified amount in one transfer, or verify the amount that you want to pay before you pay it.',
  },
  'WRONG-VOUT': {
    kind: 'wrong',
    meaning: 'The transfer at `vout` is not the verified one.',
    advice:
      'Report again with the position of the transfer among the transfers of value of its transaction, counted from 0, or without `vout`.',
  },
  'PAID-BEFORE-VERIFIED': {
    kind: 'wrong',
    meaning: 'The payment was in a block before the verification was VERIFIED.',
    advice: 'Pay only after VERIFIED. This payment is never credited to this verification.',
  },
  'OF-ANOTHER-VASP': {
    kind: 'wrong',
    meaning: 'The transaction was submitted with a key of another VASP.',
    advice:
      'Report the hash of a transaction that you have submitted. Submit each payment with a key of the VASP whose verification it pays.',
  },
  'ALREADY-USED': {
    kind: 'wrong',
    meaning: 'The payment is credited to another verification.',
    advice: 'Report the hash of the transaction that belongs to this verification.',
  },
  CREDITED: { kind: 'credited', meaning: 'The payment is credited.', advice: 'Nothing is left to do.' },
} as const satisfies Record<string, VerdictRow>;

/** The embedded ledger has no Batch, and calls with one key lead to no transaction of another VASP. */
export const NOT_PROVOKED = ['BATCH', 'OF-ANOTHER-VASP'] as const;

export type ReportVerdict = keyof typeof REPORT_VERDICTS;
export const REPORT_VERDICT_VALUES = Object.keys(REPORT_VERDICTS) as [ReportVerdict, ...ReportVerdict[]];

/** D-24: from this age on a hash that no node knows is NOT-FOUND. */
export const NOT_FOUND_AFTER_MS = 600_000;
