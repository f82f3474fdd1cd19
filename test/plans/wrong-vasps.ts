import type { Wrong } from '../support/plans/independent/wrongs.ts';

/** An independent VASP that breaks one rule, and the conditions that fail by it. */
export interface WrongVasp {
  readonly wrong: Wrong;
  /** These fail, and no others. */
  readonly fails: readonly string[];
  /** Default: those of the conditions. */
  readonly modules?: readonly string[];
  readonly symbol?: 'ETH' | 'XRP';
  /** The module holds a ledger, so no other VASP may use it meanwhile. */
  readonly isAlone?: true;
}

const DENIALS: readonly WrongVasp[] = (
  [
    ['n', 'BLACKLISTED'],
    ['o', 'MISMATCHED-NAME'],
    ['p', 'UNVERIFIED-KYC'],
    ['q', 'UNKNOWN-SYMBOL'],
    ['r', 'UNKNOWN-NETWORK'],
    ['s', 'UNKNOWN-ADDRESS'],
    ['t', 'NOT-ALLOWED'],
    ['u', 'UNDEFINED-ERROR'],
    ['v', 'REQUEST-TIMEOUT'],
    ['e', 'LACK-OF-INFORMATION'],
    ['f', 'UNAVAILABLE-INFORMATION'],
    ['m', 'BENEFICIARY-ACCOUNT-NOT-MATCHED'],
    ['l', 'UNKNOWN'],
  ] as const
).map(([letter, reason]) => ({ wrong: `pays after ${reason}`, fails: [`W3.${letter}.no-payment`] }) as const);

export const WRONG_VASPS: readonly WrongVasp[] = [
  ...DENIALS,
  { wrong: 'pays after ERROR', fails: ['W3.v.no-payment', 'W3.m.no-payment'] },
  { wrong: 'pays after an empty message', fails: ['W3.o.no-payment', 'W3.w.no-payment'] },
  { wrong: 'pays after a reason that it does not know', fails: ['W3.w.no-payment'], symbol: 'XRP' },
];
