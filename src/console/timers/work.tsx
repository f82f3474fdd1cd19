import type { Answers } from '../../client/answers.ts';
import { VerificationLink } from '../components/links.tsx';
import { useTexts } from '../texts/languages.ts';

type TimerKind = Answers['timers']['timers'][number]['kind'];

/** The kinds with a key that begins with a verificationUuid. */
const OF_VERIFICATION: readonly TimerKind[] = [
  'enclave.verification.ask',
  'enclave.verification.time-out',
  'enclave.callback.deliver',
  'robot.deposit.inquire',
  'robot.report.look-up',
];

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}/;

export const TimerWork = ({ kind }: { kind: TimerKind }) => (
  <span title={kind}>{useTexts().timerKinds[kind]}</span>
);

/** The verification of a timer, or the beginning of its key. */
export const TimerSubject = ({ of: { kind, key } }: { of: { kind: TimerKind; key: string } }) => {
  const uuid = OF_VERIFICATION.includes(kind) ? UUID.exec(key)?.[0] : undefined;
  return uuid ? <VerificationLink uuid={uuid} /> : <code title={key}>{key.slice(0, 12)}…</code>;
};
