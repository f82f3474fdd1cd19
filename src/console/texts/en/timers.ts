import type { Answers } from '../../../client/answers.ts';

type TimerKind = Answers['timers']['timers'][number]['kind'];
type Behind = Answers['advance']['behind'][number];

/** English texts of the page Time. `{places}` are filled by the page. */
export const timers = {
  clock:
    'Your sandbox time is {time} (UTC), {distance}. It only moves forward. Every VASP has a time of its own.',
  sameTime: 'the same as the machine',
  ahead: (duration: string) => `${duration} ahead of the machine`,
  advancing: (fired: string) => `The time is being advanced: ${fired} so far.`,
  advanceBy: 'Advance by',
  own: 'Another duration',
  advance: 'Advance',
  toNext: (distance: string) => `To the next timer, ${distance}`,
  pending: 'Pending',
  none: 'No timer is pending. Start one with a [verification](/console/send): the robot then waits for the transaction report.',
  noNext: 'No timer is pending, so there is no next one.',
  caption: 'Pending timers, next first',
  due: 'Due',
  work: 'Work',
  subject: 'Subject',
  attempts: 'Attempts',
  lastFailed: (error: string) => `The last attempt failed: ${error}`,
  fired: (count: number) =>
    count === 0 ? 'No timer fired' : count === 1 ? '1 timer fired' : `${count} timers fired`,
  behind: ({ name, why }: Behind) => `The clock of ${name} stays behind: ${why}`,
  isNow: (time: string, fired: string) => `It is ${time} (UTC) now. ${fired}.`,
};

/** The effects of the timers. */
export const timerKinds: Record<TimerKind, string> = {
  'enclave.verification.ask': 'The enclave asks the beneficiary VASP',
  'enclave.verification.time-out': 'The verification times out',
  'enclave.risk.collect': 'The enclave fetches an assessment from its provider',
  'enclave.callback.deliver': 'The enclave delivers callbacks',
  'robot.deposit.inquire': 'The robot asks for the status of a transaction',
  'robot.report.look-up': 'The robot looks up a reported transaction',
  'robot.wallet.pay': 'The robot sends and tracks its transfers',
};
