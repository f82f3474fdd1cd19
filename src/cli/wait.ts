import type { Answers, Client } from '../client/client.ts';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { RESULT_VALUES } from '../contract/clauses.ts';
import { TRANSACTION_STATUSES } from '../contract/verification.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { ReceivedPayment } from '../sandbox/received-payments.ts';
import { pause } from '../timers/loop.ts';
import { type Call, command, Failure, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

/** The options that wait for a state in the verification's timeline. */
const STATES = {
  result: { machine: 'verification', states: RESULT_VALUES },
  'received-payment': { machine: 'deposit', states: ReceivedPayment.shape.status.options },
  transfer: { machine: 'transfer', states: Object.keys(TRANSACTION_STATUSES) },
} as const satisfies Record<string, { machine: string; states: readonly string[] }>;
type State = keyof typeof STATES;

const oneOf = (state: State) => STATES[state].states.join(', ');

const OPTIONS = {
  callback: {
    value: '<type>',
    meaning: 'wait for a callback of this type, for example VERIFICATION_RESULT',
    choices: CALLBACK_TYPES,
  },
  result: {
    value: '<result>',
    meaning: `wait for this result of the verification: ${oneOf('result')}`,
    choices: STATES.result.states,
  },
  'received-payment': {
    value: '<status>',
    meaning: `wait for this status of your payment to the robot: ${oneOf('received-payment')}`,
    choices: STATES['received-payment'].states,
  },
  transfer: {
    value: '<status>',
    meaning: `wait for this status of the robot's payment to you: ${oneOf('transfer')}`,
    choices: STATES.transfer.states,
  },
  ready: { meaning: 'wait until the sandbox and both ledgers are ready' },
  verification: { value: '<uuid>', meaning: 'the verification; optional with --callback' },
  after: { value: '<callback id>', meaning: 'with --callback: only callbacks after this one' },
  timeout: { value: '<duration>', meaning: 'longest wait, in real time', default: '30s' },
  ...CONNECTION,
} as const;

/** Undefined or a failure: not yet. May wait itself, at most `leftMs`. */
type Look = (leftMs: number) => Promise<{ text: string; machine: unknown } | Failure | undefined>;

const POLL_MS = 100;
/** For the last answer. */
const GRACE_MS = 1_000;
/** Limit of one request to the mailbox. */
const LONGEST_POLL_MS = 60_000;

export const wait = command({
  name: 'wait',
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
    const { goal, look } = lookFor(connect(values, AbortSignal.timeout(timeoutMs + GRACE_MS)), values, progress);
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

function lookFor(
  api: Client,
  values: Call<typeof OPTIONS>['values'],
  progress: (text: string) => void,
): { goal: string; look: Look } {
  const conditions = (['callback', 'result', 'received-payment', 'transfer', 'ready'] as const).filter(
    name => values[name],
  );
  const [condition] = conditions;
  if (!condition || conditions.length > 1)
    throw wrongUsage('give exactly one of --callback, --result, --received-payment, --transfer, --ready');
  if (values.after !== undefined && condition !== 'callback') throw wrongUsage('--after needs --callback');
  if (condition === 'ready') return { goal: 'readiness', look: readiness(api, progress) };
  if (condition === 'callback')
    return {
      goal: `callback ${values.callback}`,
      look: callback(api, values.callback ?? '', values.verification, values.after),
    };
  const { verification: uuid } = values;
  const target = values[condition] ?? '';
  if (uuid === undefined) throw wrongUsage(`--${condition} needs --verification <uuid>`);
  return { goal: `--${condition} ${target}`, look: state(api, uuid, condition, target) };
}

const callback =
  (api: Client, type: string, verificationUuid: string | undefined, after: string | undefined): Look =>
  async leftMs => {
    const query = {
      type,
      wait: `${Math.min(leftMs, LONGEST_POLL_MS)}ms`,
      ...(verificationUuid === undefined ? {} : { verificationUuid }),
      ...(after === undefined ? {} : { after }),
    };
    const [first] = (await api.mailbox(query)).callbacks;
    return first && { text: `${first.id}: ${first.callbackType} ${JSON.stringify(first.data)}`, machine: first };
  };

type Entry = Answers['timeline']['timeline'][number];

function state(api: Client, uuid: string, condition: State, target: string): Look {
  const { machine } = STATES[condition];
  return async () => {
    const { timeline } = await api.timeline(uuid);
    const last = timeline.findLast(({ what, to }: Entry) => what === machine && to !== null);
    if (last?.to === target)
      return {
        text: `${condition} ${target}, since ${last.at}: ${last.cause}`,
        machine: { verificationUuid: uuid, [condition]: target, at: last.at, cause: last.cause },
      };
    if (condition === 'result' && last && isOver(last.to ?? '', target))
      throw new Failure(1, 'OTHER-RESULT', `the result is ${last.to} and will not become ${target}`);
    return undefined;
  };
}

/** REF-2.3: a result is final, except that an error report turns VERIFIED into ERROR. */
const isOver = (result: string, target: string): boolean =>
  (RESULT_VALUES as readonly string[]).includes(result) && !(result === 'VERIFIED' && target === 'ERROR');

/** A sandbox that is not ready yet, or that is still to start, counts as not yet. */
const readiness =
  (api: Client, progress: (text: string) => void): Look =>
  async () => {
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
  };
