import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/program.ts';

/** Markdown: one line for every cited clause. It is read when somebody looks at a clause. */
export const clausesText = (): string => readFileSync(join(packageRoot(), 'src', 'contract', 'clauses.md'), 'utf8');

export const clauseSentences = (text: string = clausesText()): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^- (\S+) \u2014 (.+)$/gm)].map(([, id, sentence]) => [id!, sentence!]));

const CLAUSE = /(?:(?:REF|WIRE|PROD|SEND|RECV|XRPL)-\d+(?:\.\d+)*|D-\d{2})\b/.source;
/** Links, blocks of code, titles and tags stay as they are. */
const CITED = new RegExp(`<(a|pre|title|style)\\b[^]*?</\\1>|<[^>]+>|\\b${CLAUSE}`, 'g');

/** The same HTML, with a link for each clause that it cites. `page`: address of the page that has the sentences. */
export const withClauseLinks = (html: string, page: string): string =>
  html.replace(CITED, found => (found.startsWith('<') ? found : `<a href="${page}#${found}">${found}</a>`));

/** REF-2.3: the possible outcomes of a verification. One row per reason; the verdict follows from the row. */

export const RESULTS = {
  VERIFIED: 'The user is verified without doubt or problem.',
  DENIED: 'The wallet address is valid, but the requested action is not allowed because of a problem on the user side.',
  UNKNOWN: 'The wallet address is unknown to the VASP.',
  ERROR: 'Any other exceptional case.',
} as const;

export type Result = keyof typeof RESULTS;
export const RESULT_VALUES = Object.keys(RESULTS) as [Result, ...Result[]];

/** Content of `message` for a reason: the symbol, the network, the address, codes of WIRE-5, free text or nothing. */
export type MessageKind = 'symbol' | 'network' | 'address' | 'fields' | 'text' | 'none';

interface ReasonRow {
  readonly result: Result;
  readonly message: MessageKind;
  readonly clause: string;
  /** True: an account verification may answer with it, too. */
  readonly account: boolean;
  readonly meaning: string;
  /** The next step of the originating VASP. */
  readonly advice: string;
}

export const REASONS = {
  OK: {
    result: 'VERIFIED',
    message: 'none',
    clause: 'REF-2.2',
    account: false,
    meaning: 'Success.',
    advice: 'Send the payment, then report its hash.',
  },
  'UNKNOWN-SYMBOL': {
    result: 'DENIED',
    message: 'symbol',
    clause: 'REF-2.3, REF-4.6.3',
    account: true,
    meaning: 'Unknown or unsupported asset symbol.',
    advice: 'Choose an asset that the beneficiary VASP supports.',
  },
  'UNKNOWN-NETWORK': {
    result: 'DENIED',
    message: 'network',
    clause: 'REF-2.3, D-07',
    account: true,
    meaning: 'Unknown or unsupported network: the symbol matches, the network does not.',
    advice: 'Leave the network out, or name the one of the symbol.',
  },
  'UNKNOWN-ADDRESS': {
    result: 'DENIED',
    message: 'address',
    clause: 'REF-2.3, REF-4.6.6',
    account: true,
    meaning: 'Wallet address unknown to the VASP.',
    advice: 'Ask your customer for the address again. On the XRP Ledger the tag belongs to it.',
  },
  'LACK-OF-INFORMATION': {
    result: 'DENIED',
    message: 'fields',
    clause: 'REF-2.3, REF-4.6.8',
    account: false,
    meaning: 'Denied for lack of personal information.',
    advice: 'Add the information that the message names, then open a new verification.',
  },
  'UNAVAILABLE-INFORMATION': {
    result: 'DENIED',
    message: 'fields',
    clause: 'REF-2.3, REF-4.6',
    account: false,
    meaning: 'Requested personal information cannot be transferred.',
    advice: 'Ask for less in `requiredBeneficiaryInfo`. The message names what cannot be given.',
  },
  BLACKLISTED: {
    result: 'DENIED',
    message: 'none',
    clause: 'REF-2.3, REF-4.6.9',
    account: true,
    meaning: 'Denied because of a problem in sanction screening.',
    advice: 'Do not send. Tell your compliance department.',
  },
  'UNVERIFIED-KYC': {
    result: 'DENIED',
    message: 'none',
    clause: 'REF-2.3, REF-4.6.7',
    account: true,
    meaning: 'User KYC required.',
    advice: 'Do not send before the beneficiary has finished its identification.',
  },
  'MISMATCHED-NAME': {
    result: 'DENIED',
    message: 'none',
    clause: 'REF-2.3, REF-4.6.6',
    account: true,
    meaning: 'Name mismatch.',
    advice: 'Ask your customer for the exact name of the beneficiary.',
  },
  'NOT-ALLOWED': {
    result: 'DENIED',
    message: 'text',
    clause: 'REF-2.3',
    account: false,
    meaning: 'The withdrawal request is rejected; the message says why.',
    advice: 'Do not send. The message says why.',
  },
  'UNDEFINED-ERROR': {
    result: 'DENIED',
    message: 'text',
    clause: 'REF-2.3, D-12',
    account: true,
    meaning: 'Unexpected exceptional case.',
    advice: 'Read the message. Where your own answer caused it, the exchanges show that answer.',
  },
  'BENEFICIARY-ACCOUNT-NOT-MATCHED': {
    result: 'ERROR',
    message: 'none',
    clause: 'REF-2.3, D-12',
    account: false,
    meaning: 'The beneficiary VASP answered with another account number.',
    advice: 'The beneficiary VASP must answer with the account number of the request.',
  },
  'REQUEST-TIMEOUT': {
    result: 'ERROR',
    message: 'none',
    clause: 'REF-2.3, D-12',
    account: false,
    meaning: 'Verification processing exceeded the time-out.',
    advice: 'The beneficiary VASP must answer within the time limit. Open a new verification to try again.',
  },
} as const satisfies Record<string, ReasonRow>;

export type Reason = keyof typeof REASONS;
export const REASON_CODES = Object.keys(REASONS) as [Reason, ...Reason[]];

type AccountReasonOf = { [R in Reason]: (typeof REASONS)[R]['account'] extends true ? R : never };
/** The reasons that an account verification may answer with. */
export type AccountReason = AccountReasonOf[Reason];
export const ACCOUNT_REASONS = REASON_CODES.filter(code => REASONS[code].account) as [
  AccountReason,
  ...AccountReason[],
];

export const isReason = (code: string): code is Reason => Object.hasOwn(REASONS, code);

/** The outcome of a verification. `message` is '' for a reason without one. */
export interface Verdict {
  readonly result: Result;
  readonly reason: Reason;
  readonly message: string;
}

export const VERIFIED: Verdict = { result: 'VERIFIED', reason: 'OK', message: '' };

/** The verdict of a reason. The message is dropped for a reason without one. */
export const verdict = (reason: Reason, message = ''): Verdict => ({
  result: REASONS[reason].result,
  reason,
  message: REASONS[reason].message === 'none' ? '' : message,
});

/** REF-2.3 UNKNOWN: no reason has this result, so the nearest one is used. */
export const unknownVerdict = (address: string): Verdict => ({
  result: 'UNKNOWN',
  reason: 'UNKNOWN-ADDRESS',
  message: address,
});
