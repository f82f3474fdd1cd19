import type { SandboxAnswers } from '../../client/answers.ts';
import { VerificationLink } from '../components/verification-link.tsx';

type TimerKind = SandboxAnswers['timers']['timers'][number]['kind'];

interface TimerRow {
  meaning: string;
  /** Does its key begin with a verificationUuid? */
  isOfVerification: boolean;
}

const TIMERS: Record<TimerKind, TimerRow> = {
  'enclave.verification.ask': { meaning: 'The enclave asks the beneficiary VASP', isOfVerification: true },
  'enclave.verification.time-out': { meaning: 'The verification times out', isOfVerification: true },
  'enclave.risk.collect': {
    meaning: 'The enclave fetches an assessment from its provider',
    isOfVerification: false,
  },
  'enclave.callback.deliver': { meaning: 'The enclave delivers callbacks', isOfVerification: true },
  'robot.deposit.inquire': {
    meaning: 'The robot asks for the status of a transaction',
    isOfVerification: true,
  },
  'robot.report.look-up': { meaning: 'The robot looks up a reported transaction', isOfVerification: true },
  'robot.wallet.pay': { meaning: 'The robot sends and tracks its transfers', isOfVerification: false },
};

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}/;

export const timerMeaning = (kind: TimerKind): string => TIMERS[kind].meaning;

/** The effect of a timer. */
export const TimerWork = ({ kind }: { kind: TimerKind }) => (
  <>
    {timerMeaning(kind)}
    <br />
    <small>
      <code>{kind}</code>
    </small>
  </>
);

/** The verification of a timer, or the beginning of its key. */
export const TimerSubject = ({ of: { kind, key } }: { of: { kind: TimerKind; key: string } }) => {
  const uuid = TIMERS[kind].isOfVerification ? UUID.exec(key)?.[0] : undefined;
  return uuid ? <VerificationLink uuid={uuid} /> : <code title={key}>{key.slice(0, 12)}…</code>;
};
