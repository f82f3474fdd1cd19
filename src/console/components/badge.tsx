import type { Answers } from '../../client/answers.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

type Verification = Answers['verifications']['verifications'][number];
type Money = NonNullable<Verification['money']>;
/** Every status of the API, and those of the console itself. */
type Status =
  | Verification['status']
  | NonNullable<Verification['result']>
  | NonNullable<Verification['report']>['verdict']
  | Money['status']
  | Answers['replay']['status']
  | Answers['deposits']['deposits'][number]['status']
  | Answers['transfers']['transfers'][number]['transactionStatus']
  | Answers['assessments']['assessments'][number]['status']
  | Answers['registerVasp']['health']
  | 'READY'
  | 'NOT READY'
  | 'OK'
  | 'FAILED'
  | 'SUSPENDED'
  | 'LOW';

const TONES: Record<Status, Tone> = {
  OPEN: 'busy',
  COMPLETED: 'plain',
  VERIFIED: 'good',
  DENIED: 'bad',
  UNKNOWN: 'bad',
  ERROR: 'bad',
  AWAITED: 'busy',
  STOPPED: 'warn',
  MAILBOX: 'busy',
  DELIVERED: 'good',
  'GIVEN-UP': 'bad',
  SEEN: 'busy',
  REORGANISED: 'warn',
  UNATTRIBUTED: 'warn',
  UNEXPLAINED: 'warn',
  'TAKEN-BACK': 'bad',
  CREDITED: 'good',
  'NOT-FOUND': 'bad',
  'NOT-FINAL': 'busy',
  REPLACED: 'bad',
  REVERTED: 'bad',
  BATCH: 'bad',
  'WRONG-RECIPIENT': 'bad',
  'WRONG-TAG': 'bad',
  'WRONG-AMOUNT': 'bad',
  'WRONG-VOUT': 'bad',
  'PAID-BEFORE-VERIFIED': 'bad',
  'OF-ANOTHER-VASP': 'bad',
  'ALREADY-USED': 'bad',
  PENDING: 'busy',
  PROCESSING: 'busy',
  'WAIT-CONFIRM': 'busy',
  CONFIRMED: 'good',
  CANCELED: 'warn',
  REGISTERED: 'busy',
  PROCESSED: 'good',
  UP: 'good',
  DOWN: 'bad',
  READY: 'good',
  'NOT READY': 'bad',
  OK: 'good',
  FAILED: 'bad',
  SUSPENDED: 'bad',
  LOW: 'bad',
};

/** The colour of a status. Other words are plain. */
export const toneOf = (word: string): Tone => (Object.hasOwn(TONES, word) ? TONES[word as Status] : 'plain');

type Badge = { of: Status; tone?: undefined } | { of: string; tone: Tone };

/** A status in its colour. Any other word names its colour. */
export const Badge = ({ of, tone }: Badge) => <span class={`badge ${tone ?? toneOf(of)}`}>{of}</span>;

const RESULT_TONES: Readonly<Record<string, Tone>> = {
  PASSED: 'good',
  FAILED: 'bad',
  // Nothing was found wrong: it was not looked at.
  INTERRUPTED: 'warn',
  'NOT-RECEIVED': 'bad',
  WARNING: 'warn',
  REVIEW: 'warn',
  SKIPPED: 'plain',
  'NOT-JUDGED': 'warn',
  ERROR: 'bad',
};

/** Null: it is not finished. */
export const toneOfResult = (result: string | null): Tone =>
  result === null ? 'busy' : (RESULT_TONES[result] ?? 'plain');
