import { createContext, useContext } from 'hono/jsx';
import type { Answers, RunReport } from '../../client/client.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { Link } from './link.tsx';
import type { Column } from './table.tsx';
import { Copyable } from './text.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

type Verification = Answers['verifications']['verifications'][number];
type Module = RunReport['modules'][number];
/** Every status of the API, and those of the console itself. */
type Status =
  | Verification['status']
  | NonNullable<Verification['result']>
  | NonNullable<Verification['report']>['verdict']
  | NonNullable<Verification['money']>['status']
  | Answers['replay']['status']
  | Answers['receivedPayments']['payments'][number]['status']
  | Answers['transfers']['transfers'][number]['transactionStatus']
  | Answers['assessments']['assessments'][number]['status']
  | Answers['registerVasp']['health']
  | Answers['checkIvms101']['problems'][number]['severity']
  | NonNullable<RunReport['result']>
  | Exclude<Module['status'], 'CREATED' | 'FINISHED'>
  | Module['conditions'][number]['result']
  | 'READY'
  | 'NOT READY'
  | 'OK'
  | 'SUCCEEDED'
  | 'SUSPENDED'
  | 'TRIAL'
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
  LOST: 'warn',
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
  SUCCEEDED: 'good',
  SUSPENDED: 'bad',
  TRIAL: 'busy',
  LOW: 'bad',
  FAILURE: 'bad',
  WARNING: 'warn',
  RUNNING: 'busy',
  WAITING: 'busy',
  PASSED: 'good',
  // Nothing was found wrong: it was not looked at.
  INTERRUPTED: 'warn',
  'NOT-RECEIVED': 'bad',
  REVIEW: 'warn',
  SKIPPED: 'plain',
  'NOT-JUDGED': 'warn',
};

/** The colour of a status. Other words are plain. */
export const toneOf = (word: string): Tone => (Object.hasOwn(TONES, word) ? TONES[word as Status] : 'plain');

/** `tone`: the colour of a word that is no status. */
export const Badge = ({ of, tone = toneOf(of) }: { of: string; tone?: Tone }) => (
  <span class={`badge ${tone}`}>{of}</span>
);

/** Of an HTTP answer. Null: none has come. */
export const HttpStatus = ({ of, tone = of === 200 ? 'good' : 'bad' }: { of: number | null; tone?: Tone }) => (
  <Badge of={of === null ? useTexts().exchange.noAnswer : String(of)} tone={tone} />
);

/** The time of the signed-in VASP when the page is rendered, in epoch ms. */
export const Now = createContext(0);

/** From here on the two clocks are told apart. */
const MOVED_MS = 1000;

/** Date and time in UTC, and the distance from now. `at` is ISO 8601, by the sandbox's clock or by the machine's. */
export function Time({ at, clock = 'sandbox' }: { at: string; clock?: 'sandbox' | 'machine' }) {
  const now = useContext(Now);
  const { time } = useTexts();
  const machine = systemClock.now();
  const distanceMs = Date.parse(at) - (clock === 'machine' ? machine : now);
  const isOther = clock === 'machine' && Math.abs(machine - now) >= MOVED_MS;
  return (
    <time class="time" datetime={at} title={`${at} (UTC)`} data-utc="">
      <span class="moment">{moment(at)}</span> <small class="zone">UTC</small>{' '}
      <small>
        {relative(distanceMs, time)}
        {isOther ? `, ${time.ofMachine}` : ''}
      </small>
    </time>
  );
}

/** A text with a date and time in it. `at` is ISO 8601. The script of the console shows it in the reader's zone. */
export function TextWithTime({ at, text }: { at: string; text: (time: string) => string }) {
  const [before, after] = text(PLACE).split(PLACE);
  return (
    <>
      {before}
      <time datetime={at} title={`${at} (UTC)`} data-utc="">
        <span class="moment">{moment(at)}</span> <span class="zone">UTC</span>
      </time>
      {after}
    </>
  );
}

const PLACE = '\0';

/** `2026-11-21 20:47:07`, in UTC. */
export const moment = (at: string): string => at.replace('T', ' ').replace(/(\.\d+)?Z$/, '');

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** `3 min ago`, `in 2 h`, `now`. */
export function relative(distanceMs: number, texts: Texts['time']): string {
  const size = Math.abs(distanceMs);
  const unit = UNITS.find(([, ms]) => size >= ms);
  if (!unit) return texts.now;
  const distance = `${Math.floor(size / unit[1])}${texts[unit[0]]}`;
  return distanceMs < 0 ? fill(texts.ago, { distance }) : fill(texts.ahead, { distance });
}

/** `12 ms`, `1.5 s`, `10 min`, `1 h`. */
export function durationText(durationMs: number, texts: Texts['time']): string {
  if (durationMs < 1000) return `${durationMs} ms`;
  const [name, ms] = UNITS.find(([, unitMs]) => durationMs >= unitMs)!;
  return `${Number((durationMs / ms).toFixed(1))}${texts[name]}`;
}

export const VerificationLink = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? (
    <span class="muted">–</span>
  ) : (
    <a class="code" href={`/console/verifications/${uuid}`} title={uuid}>
      {uuid.slice(0, 8)}
    </a>
  );

export const verificationColumn = <Row extends { verificationUuid: string | null }>({
  verification,
}: Pick<Texts, 'verification'>): Column<Row> => ({
  head: verification.verification,
  bare: true,
  cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} />,
});

export const amountColumn = <Row extends { amount: string; symbol: string }>({
  verification,
}: Pick<Texts, 'verification'>): Column<Row> => ({
  head: verification.amount,
  bare: true,
  line: true,
  numeric: true,
  cell: ({ amount, symbol }) => `${amount} ${symbol}`,
});

export const TransactionLink = ({ symbol, txHash }: { symbol: string; txHash: string | null }) =>
  txHash === null ? (
    <span class="muted">{useTexts().callback.noneYet}</span>
  ) : (
    <Copyable text={txHash} ends={6} href={`/console/chain/${symbol}/${encodeURIComponent(txHash)}`} />
  );

export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? (
    <span class="muted">{useTexts().money.noUser}</span>
  ) : (
    <Link to={`/console/users#user-${id}`}>{id}</Link>
  );
