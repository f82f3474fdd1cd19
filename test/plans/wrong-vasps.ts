import { IDENTITIES } from './wrong-identities.ts';
import { ORDERED, onBoth } from './wrong-withdrawals.ts';

/** An independent VASP that breaks one rule, and the conditions that fail by it. */
export interface WrongVasp {
  readonly wrong: string;
  /** These fail, and no others. */
  readonly fails: readonly string[];
  /** These may fail, too, or instead of the first one: the digits of an amount or the load decide. */
  readonly may?: readonly string[];
  /** These modules have nothing to judge. */
  readonly skips?: readonly string[];
  /** Default: those of the conditions, and these. */
  readonly modules?: readonly string[];
  readonly symbol?: 'ETH' | 'XRP';
  /** Time for each awaited act. Default: 20 s, so no load decides. Less where the VASP does nothing. */
  readonly wait?: string;
  /** Default: the same. */
  readonly inquiryWait?: string;
  /** Its timers follow the clock of the sandbox. */
  readonly sandboxClock?: true;
  /** The module holds a ledger, so no other VASP may use it meanwhile. */
  readonly isAlone?: true;
}

const DENIALS = (
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

const credits = <const W extends string>(wrong: W, ...modules: string[]) => ({
  wrong,
  fails: modules.map(id => `${id}.not-credited`),
});

/** On a busy machine every report is late. */
const LATE_REPORT = {
  wrong: 'credits once more when the report is late',
  fails: ['D4.late-report'],
  may: ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `D4.${letter}.next-credited`),
} as const;

export const DEPOSITS = [
  ...onBoth(credits('credits another customer', 'D7.e')),
  ...onBoth(credits('credits a payment to a stranger', 'D7.f')),
  credits('credits more than verified', 'D7.g'),
  credits('credits a unit less', 'D7.h'),
  ...onBoth({ ...credits('credits in floating point', 'D7.h'), may: ['D7.h.next-credited'] }),
  credits('credits a denied verification', 'D7.i'),
  credits('credits an unknown verification', 'D7.j'),
  ...onBoth(credits('credits a failed transaction', 'D7.k')),
  credits('credits a PENDING status', 'D4.a'),
  credits('credits whatever a status answer says', 'D4.a', 'D4.b'),
  credits('credits what a report names without a look', 'D7.a', 'D7.e', 'D7.f', 'D7.g', 'D7.h', 'D7.k'),
  credits('credits when it verifies', 'D7.f', 'D7.g'),
  { wrong: 'credits a report again', fails: ['C2.later'], may: ['C2.once'] },
  credits('credits by the amount', 'D4.a', 'D4.b', 'C9'),
  credits('credits without asking', 'D4.a', 'D4.b'),
  credits('credits after an error report', 'D5.a'),
  credits('credits callbacks of any type', 'C9'),
  { ...credits('takes a payment without a tag', 'D7.t'), symbol: 'XRP' },
  ...onBoth({ wrong: 'keeps amounts in machine words', fails: ['D9.credited'], may: ['D9.zero-at-end'], wait: '6s' }),
  ...onBoth({ wrong: 'compares amounts as texts', fails: ['D9.zero-at-end'], may: ['D9.credited'], wait: '6s' }),
  { wrong: 'credits by the report while it asks', fails: ['D14.in-flight'] },
  { wrong: 'credits by the report while it asks', fails: ['D14.in-flight'], sandboxClock: true },
  { wrong: 'credits two verifications with one payment', fails: ['D7.d.not-credited'] },
  { wrong: 'credits a hash in each form', fails: ['D7.r.not-credited'] },
  { wrong: 'credits a hash with each vout', fails: ['D7.r.not-credited'] },
  { wrong: 'credits a hash in each form', fails: ['D7.r.not-credited'], symbol: 'XRP' },
  { wrong: 'opens a credited verification again', fails: ['C2.verified'] },
  ...onBoth(
    { wrong: 'loses one of two credits at once', fails: ['D10.credited'], may: ['D10.each-customer'], wait: '6s' },
    {
      wrong: 'credits the customer of its newest report',
      fails: ['D10.each-customer'],
      may: ['D10.credited'],
      wait: '6s',
    },
  ),
  { wrong: 'credits every report', fails: ['C10.not-credited', 'D5.a.not-credited', 'D7.i.not-credited'] },
  { wrong: 'forgets all but the newest verification', fails: ['D6.other-credited'], wait: '6s' },
  { wrong: 'asks about its own withdrawals', fails: ['D8.own-only'], modules: ['W3.a', 'D8'] },
  { wrong: 'asks for no status', fails: ['D4.asked', 'D6.asked'], inquiryWait: '1s' },
  { wrong: 'asks about strangers', fails: ['D8.known-only'] },
  { wrong: 'asks every second', fails: ['D8.rate'], isAlone: true },
  { wrong: 'asks after an error report', fails: ['D5.no-inquiry'] },
  credits('credits a CANCELED status', 'D4.c'),
  credits('credits when its status query fails', 'D4.d'),
  {
    ...credits('credits an unnamed payment after a time-out of its own', 'D4.a'),
    modules: ['D4.a', 'D4.c'],
    // Once D4.a has failed, the balance is not watched to the end.
    may: ['D4.c.not-credited'],
  },
  credits('credits an unnamed payment right after the next one', 'D4.a'),
  {
    wrong: 'credits its first customer',
    fails: ['D9.credited', 'D9.zero-at-end'],
    may: ['D9.nobody-else'],
    wait: '6s',
  },
  { wrong: 'credits its first customer, too', fails: ['D9.nobody-else'] },
  { ...credits('compares the ends of a tag that is paid', 'D7.c'), symbol: 'XRP' },
  credits('compares the ends of an address that is paid', 'D7.f'),
  { wrong: 'credits again some seconds later', fails: ['D3.credited'] },
  { wrong: 'takes a credit back some seconds later', fails: ['D3.credited'], may: ['D9.credited'], symbol: 'XRP' },
  credits('takes the event of any token for ETH', 'D7.q'),
  credits('credits too little some seconds later', 'D7.a'),
  ...onBoth(LATE_REPORT),
  { wrong: 'takes a credit back after an error report', fails: ['D4.late-error'] },
  credits('credits whatever transaction a status answer names', 'D4.b'),
  ...onBoth(credits('compares only the account of what a status answer names', 'D4.e')),
  ...onBoth(credits('compares only the amount of what a status answer names', 'D4.f')),
  credits('knows no error report but ERROR', 'D5.a'),
  {
    wrong: 'asks no more after a failed query',
    fails: ['D14.after-failure'],
    // On a busy machine a query fails by itself.
    may: ['D14.after-pending', 'D14.after-wait-confirm', 'D14.among-many', 'D14.in-flight'],
  },
  { wrong: 'asks no more after PENDING', fails: ['D14.after-pending'] },
  { wrong: 'asks no more after PENDING', fails: ['D14.after-pending'], sandboxClock: true },
  {
    wrong: 'knows no status but CONFIRMED',
    fails: ['D14.after-pending', 'D14.after-wait-confirm'],
    // On a busy machine the second answer may come before the payment is final.
    may: ['D14.after-failure', 'D14.among-many', 'D14.in-flight'],
    symbol: 'XRP',
  },
  { wrong: 'asks only the newest candidate', fails: ['D14.among-many'] },
  { wrong: 'asks only the oldest candidate', fails: ['D14.among-many'] },
  {
    wrong: 'looks only at the first page of the list',
    fails: ['D14.among-many'],
    may: ['D14.after-failure', 'D14.after-wait-confirm', 'D14.after-pending', 'D14.in-flight'],
  },
  { wrong: 'knows only the first report', fails: ['D13.replaced'], wait: '6s' },
  { wrong: 'takes a whole amount without its zeros', fails: ['D9.credited'], wait: '6s', symbol: 'XRP' },
  { wrong: 'closes every deposit of a customer by an error report', fails: ['D5.a.next-credited'], wait: '6s' },
  ...onBoth({ wrong: 'credits only from the address of the originator', fails: ['D17.other-sender'], wait: '6s' }),
  ...onBoth({ wrong: 'knows a hash only as its node prints it', fails: ['D17.other-case'], wait: '6s' }),
  ...onBoth({ wrong: 'reads one page of a history', fails: ['D18.credited'], wait: '6s', isAlone: true }),
  { wrong: 'sends an unnamed payment back', fails: ['D8.kept'] },
  {
    wrong: 'sends an unnamed payment back after five minutes',
    fails: ['D8.kept'],
    modules: ['D8', 'D19'],
    sandboxClock: true,
    symbol: 'XRP',
  },
  {
    wrong: 'sends an unnamed payment back after five minutes',
    fails: ['D8.kept'],
    modules: ['D8', 'D19'],
    sandboxClock: true,
  },
  {
    wrong: 'sends an unnamed payment back after thirty minutes',
    fails: ['D8.kept'],
    modules: ['D8', 'D19'],
    sandboxClock: true,
  },
  { wrong: 'credits one of equal payments', fails: ['D18.credited'], wait: '6s', isAlone: true },
  { wrong: 'credits twice what its node has failed for', fails: ['D20.reported'], wait: '6s' },
  ...onBoth(credits('credits a payment that is older than the verification', 'D7.u')),
  { wrong: 'sends an unnamed payment back', fails: ['D8.kept'], symbol: 'XRP' },
  { wrong: 'expects a deposit for five minutes', fails: ['D19.credited'], wait: '6s', sandboxClock: true },
  { wrong: 'expects a deposit for thirty minutes', fails: ['D19.credited'], wait: '6s', sandboxClock: true },
  { wrong: 'expects a deposit for ten seconds', fails: ['D19.credited'], wait: '6s' },
  { wrong: 'credits a payment again in another block', fails: ['D16.credited'], isAlone: true },
  ...onBoth(
    { wrong: 'ends its watcher at the first error of its node', fails: ['D20.reported', 'D20.unreported'], wait: '6s' },
    { wrong: 'starts at the newest block after an error of its node', fails: ['D20.unreported'], wait: '6s' },
    { wrong: 'gives up a transaction when its node fails', fails: ['D20.reported'], wait: '6s' },
    { wrong: 'believes a report when its node fails', fails: ['D20.invented'] },
  ),
  {
    ...credits('credits an unnamed payment after five minutes', 'D4.a'),
    modules: ['D4.a', 'W3.z'],
    sandboxClock: true,
  },
  ...onBoth({
    ...credits('credits an unnamed payment after thirty minutes', 'D4.a'),
    modules: ['D4.a', 'W3.z'],
    sandboxClock: true,
  }),
  {
    wrong: 'reads only the newest block',
    fails: ['D14.after-failure'],
    may: ['D14.after-pending', 'D14.after-wait-confirm', 'D14.among-many', 'D14.in-flight'],
    wait: '6s',
  },
  ...onBoth({
    wrong: 'credits only from the first sender',
    fails: ['D17.other-case', 'D17.other-sender'],
    may: ['D17.other-case', 'D17.other-sender'],
    wait: '6s',
  }),
  { wrong: 'credits one payment of a block', fails: ['D18.credited'], wait: '6s', isAlone: true },
  { wrong: 'asks about denied deposits', fails: ['D8.verified-only'], modules: ['D2.c', 'D8'] },
  { wrong: 'reports an error about its deposits', fails: ['W4.1.own-only'], modules: ['D3', 'W4.1'] },
  { wrong: 'wants a message in an error report', fails: ['C1.status'], modules: ['C1', 'D5'] },
  { wrong: 'stores a hash only once', fails: ['D13.of-another'], wait: '6s', symbol: 'XRP' },
] as const satisfies readonly WrongVasp[];

const ofToken = <const W extends string>(wrong: W) => ({
  wrong,
  fails: ['account', 'user', 'status', 'callback'].map(word => `S5.${word}`),
});

const RISKS = [
  { wrong: 'pays although the address is sanctioned', fails: ['R7.no-payment'] },
  { wrong: 'pays although an alert is SEVERE', fails: ['R8.no-payment', 'R9.no-payment'] },
  { wrong: 'looks only at the first alert', fails: ['R8.no-payment'] },
  { wrong: 'pays although the person is listed', fails: ['R10.no-payment'] },
  { wrong: 'pays before the assessment has a result', fails: ['R8.no-payment'], may: ['R8.waits'] },
  {
    wrong: 'takes REGISTERED for a result',
    fails: ['R9.no-payment', 'R10.no-payment'],
    may: ['R9.waits', 'R10.waits'],
  },
  { wrong: 'pays without an assessment', fails: ['R7.no-payment', 'R8.no-payment'] },
  { wrong: 'pays when an assessment does not end', fails: ['R11.waits'] },
  { wrong: 'takes any assessment for its own', fails: ['R11.waits'], modules: ['R11', 'R2', 'R3', 'R5'] },
  { wrong: 'takes a lost assessment for a good one', fails: ['R14.no-payment', 'R15.no-payment'] },
  { wrong: 'takes an unknown status for a result', fails: ['R9.no-payment'], may: ['R9.waits'] },
  { wrong: 'waits only for the first assessment', fails: ['R8.no-payment'], may: ['R8.waits'] },
  { wrong: 'pays when an assessment is refused', fails: ['R12.no-payment', 'R13.no-payment'] },
] as const satisfies readonly WrongVasp[];

const TOKENS = [
  ofToken('compares the beginning of the token'),
  ofToken('compares only as much of the token as it has'),
  ofToken('compares the token without case'),
  { wrong: 'wants no token for status queries', fails: ['S1.status'] },
  { wrong: 'acts on calls that it refuses', fails: ['S6.not-credited', 'S7.no-payment'], may: ['S6.next-credited'] },
  { wrong: 'answers with a panic of Rust', fails: ['S8.no-trace'] },
  { wrong: 'answers with a stack trace', fails: ['S8.no-trace'] },
  ...(
    [
      'tells the expected token',
      'tells the expected token in a header',
      'tells the expected token in the header that asks for it',
      'tells the code of the expected token in a header',
    ] as const
  ).map(wrong => ({ wrong, fails: ['S8.no-token'] })),
  { wrong: 'names a customer in a status answer', fails: ['S8.no-person'], modules: ['W4.2', 'S8'] },
  { wrong: 'names a customer in an answer to a callback', fails: ['S8.no-person'], modules: ['C1', 'S8'] },
  { wrong: 'wants a message in a denied result', fails: ['C1.status'] },
  { wrong: 'wants a vout in a report', fails: ['D3.status'], may: ['D3.credited'], inquiryWait: '3s' },
  { wrong: 'answers callbacks with 204', fails: ['C1.status'] },
  { wrong: 'answers callbacks with 204', fails: ['C2.status'], modules: ['C2', 'C10'] },
] as const satisfies readonly WrongVasp[];

/** They pay what they must not, or wrongly. */
export const WITHDRAWALS = [
  ...DENIALS,
  ...ORDERED,
  ...RISKS,
  { wrong: 'pays after ERROR', fails: ['W3.v.no-payment', 'W3.m.no-payment'] },
  { wrong: 'pays after an empty message', fails: ['W3.o.no-payment', 'W3.w.no-payment'] },
  { wrong: 'pays after a reason that it does not know', fails: ['W3.w.no-payment'], symbol: 'XRP' },
] as const satisfies readonly WrongVasp[];

/** They answer wrongly. */
export const ANSWERS = [...IDENTITIES, ...TOKENS] as const;

export const WRONG_VASPS: readonly WrongVasp[] = [...WITHDRAWALS, ...DEPOSITS, ...ANSWERS];
