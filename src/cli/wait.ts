import type { Answers, Client } from '../client/client.ts';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { RESULT_VALUES } from '../contract/clauses.ts';
import { TRANSACTION_STATUSES } from '../contract/verification.ts';
import { elapsedMs, LONGEST_TIMER_MS } from '../kernel/clock.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { ReceivedPayment } from '../sandbox/received-payments.ts';
import { pause } from '../timers/loop.ts';
import { type Call, command, Failure, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

/** The options that wait for a state: what the timeline of the verification calls it, and its states. */
const STATES = {
  result: { machine: 'verification', states: RESULT_VALUES },
  'received-payment': { machine: 'deposit', states: ReceivedPayment.shape.status.options },
  transfer: { machine: 'transfer', states: Object.keys(TRANSACTION_STATUSES) },
} as const satisfies Record<string, { machine: string; states: readonly string[] }>;
type State = keyof typeof STATES;

const stateOption = (state: State, what: string) => {
  const { states } = STATES[state];
  return { value: '<state>', meaning: `wait for this ${what}: ${states.join(', ')}`, choices: states };
};

const OPTIONS = {
  callback: {
    value: '<type>',
    meaning: 'wait for a callback of this type, for example VERIFICATION_RESULT',
    choices: CALLBACK_TYPES,
  },
  result: stateOption('result', 'result of the verification'),
  'received-payment': stateOption('received-payment', 'status of your payment to the robot'),
  transfer: stateOption('transfer', "status of the robot's payment to you"),
  ready: { meaning: 'wait until the sandbox and both ledgers are ready' },
  verification: { value: '<uuid>', meaning: 'the verification; optional with --callback' },
  after: { value: '<callback id>', meaning: 'with --callback: only callbacks after this one' },
  timeout: { value: '<duration>', meaning: 'longest wait, in real time', default: '30s' },
  ...CONNECTION,
} as const;
const CONDITIONS = ['callback', 'result', 'received-payment', 'transfer', 'ready'] as const;

/** Undefined or a failure: not yet. May wait itself, at most `leftMs`. */
type Look = (leftMs: number) => Promise<{ text: string; machine: unknown } | Failure | undefined>;

const POLL_MS = 100;
/** For the last answer. */
const GRACE_MS = 1_000;
/** Limit of one request to the mailbox. */
const LONGEST_POLL_MS = 60_000;

const wait = command({
  summary: 'waits for a callback or a state, and prints it',
  details: 'Give exactly one of --callback, --result, --received-payment, --transfer and --ready.',
  options: OPTIONS,
  exits: { 1: 'it did not come in time, or can no longer come', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp wait --ready --timeout 60s',
    'robot-vasp wait --callback VERIFICATION_RESULT --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    'robot-vasp wait --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc --received-payment CREDITED',
  ],
  async run({ values, print, progress }) {
    const timeoutMs = parseDuration(values.timeout);
    if (timeoutMs === undefined)
      throw wrongUsage(`--timeout: \`${values.timeout}\` is not a duration. Write for example 30s`);
    const timeIsUp = AbortSignal.timeout(Math.min(timeoutMs + GRACE_MS, LONGEST_TIMER_MS));
    const { goal, look } = lookFor(connect(values, timeIsUp), values, progress);
    progress(`waiting for ${goal}`);
    for (const end = elapsedMs() + timeoutMs; ; await pause(Math.min(POLL_MS, Math.max(0, end - elapsedMs())))) {
      const found = await look(Math.max(0, Math.ceil(end - elapsedMs())));
      if (found && !(found instanceof Failure)) {
        print(found.text, found.machine);
        return 0;
      }
      if (elapsedMs() >= end)
        throw found ?? new Failure(1, 'TIMEOUT', `${goal} did not come within ${formatDuration(timeoutMs)}`);
    }
  },
});
export const commands = { wait };

function lookFor(
  api: Client,
  values: Call<typeof OPTIONS>['values'],
  progress: (text: string) => void,
): { goal: string; look: Look } {
  const [condition, ...others] = CONDITIONS.filter(name => values[name]);
  if (!condition || others.length > 0)
    throw wrongUsage(`give exactly one of ${CONDITIONS.map(each => `--${each}`).join(', ')}`);
  const { verification: verificationUuid, after } = values;
  if (after !== undefined && condition !== 'callback') throw wrongUsage('--after needs --callback');
  if (condition === 'ready') return { goal: 'readiness', look: () => readiness(api, progress) };
  const target = values[condition]!;
  if (condition === 'callback')
    return {
      goal: `callback ${target}`,
      async look(leftMs) {
        const waits = `${Math.min(leftMs, LONGEST_POLL_MS)}ms`;
        const { callbacks } = await api.mailbox({ type: target, verificationUuid, after, wait: waits });
        const [first] = callbacks;
        return first && { text: `${first.id}: ${first.callbackType} ${JSON.stringify(first.data)}`, machine: first };
      },
    };
  if (verificationUuid === undefined) throw wrongUsage(`--${condition} needs --verification <uuid>`);
  return { goal: `--${condition} ${target}`, look: () => state(api, verificationUuid, condition, target) };
}

type Entry = Answers['timeline']['timeline'][number];

async function state(api: Client, verificationUuid: string, condition: State, target: string) {
  const { timeline } = await api.timeline(verificationUuid);
  const last = timeline.findLast(({ what, to }: Entry) => what === STATES[condition].machine && to !== null);
  if (last?.to === target) {
    const { at, cause } = last;
    const text = `${condition} ${target}, since ${at}: ${cause}`;
    return { text, machine: { verificationUuid, [condition]: target, at, cause } };
  }
  if (condition === 'result' && last && isOver(last.to ?? '', target))
    throw new Failure(1, 'OTHER-RESULT', `the result is ${last.to} and will not become ${target}`);
  return undefined;
}

/** REF-2.3: a result is final, except that an error report turns VERIFIED into ERROR. */
const isOver = (result: string, target: string): boolean =>
  (RESULT_VALUES as readonly string[]).includes(result) && !(result === 'VERIFIED' && target === 'ERROR');

/** A sandbox that is not ready yet, or that is still to start, counts as not yet. */
async function readiness(api: Client, progress: (text: string) => void) {
  try {
    const { status, body } = await api.call<{ missing?: string[] }>('GET', '/readyz');
    if (status === 200) return { text: `ready at ${api.url}`, machine: { url: api.url, ...body } };
    progress(`waiting for readiness: ${body.missing?.join('; ')}`);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'UNREACHABLE') throw error;
    progress(`waiting for readiness: nobody answers at ${api.url} yet`);
    return error;
  }
  return undefined;
}
