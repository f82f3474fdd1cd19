import { VerificationLink } from '../components/verification-link.tsx';

const MEANINGS: Record<string, string> = {
  'enclave.verification.ask': 'The enclave asks the beneficiary VASP',
  'enclave.verification.time-out': 'The beneficiary VASP has run out of time',
  'enclave.risk.collect': 'The enclave collects an assessment from its provider',
  'enclave.callback.deliver': 'The enclave delivers callbacks',
  'robot.deposit.inquire': 'The robot asks for the status of a transaction',
  'robot.wallet.pay': 'The robot sends and follows its transfers',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}/;
/** Its key is another identifier. */
const ABOUT_NO_VERIFICATION = 'enclave.risk.collect';

export const timerMeaning = (kind: string): string => MEANINGS[kind] ?? kind;

/** What a timer does when it fires. */
export const TimerWork = ({ kind }: { kind: string }) => (
  <>
    {timerMeaning(kind)}
    <br />
    <small>
      <code>{kind}</code>
    </small>
  </>
);

/** What a timer is about: a verification, or what its key says. */
export const TimerSubject = ({ of: { kind, key } }: { of: { kind: string; key: string } }) => {
  const uuid = kind === ABOUT_NO_VERIFICATION ? undefined : UUID.exec(key)?.[0];
  return uuid ? <VerificationLink uuid={uuid} /> : <code title={key}>{key.slice(0, 12)}…</code>;
};
