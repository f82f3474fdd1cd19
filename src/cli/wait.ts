import type { SandboxAnswers } from '../client/answers.ts';
import type { Client } from '../client/client.ts';
import { RESULT_VALUES } from '../contract/reasons.ts';
import { TRANSACTION_STATUSES } from '../contract/transaction-status.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { DepositEntry } from '../sandbox/deposits/schema.ts';
import { pause } from '../timers/loop.ts';
import { command, Failure, type Given, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

/** What may be waited for: a state of a machine in the verification's timeline. */
const STATES = {
  result: { machine: 'verification', states: RESULT_VALUES },
  deposit: { machine: 'deposit', states: DepositEntry.shape.status.options },
  transfer: { machine: 'transfer', states: Object.keys(TRANSACTION_STATUSES) },
} as const satisfies Record<string, { machine: string; states: readonly string[] }>;
type State = keyof typeof STATES;

const oneOf = (state: State) => STATES[state].states.join(', ');

const OPTIONS = {
  callback: {
    value: '<type>',
    meaning: 'a callback of this type, e.g. VERIFICATION_RESULT, lies in the mailbox',
  },
  result: { value: '<result>', meaning: `the verification has it: ${oneOf('result')}` },
  deposit: { value: '<status>', meaning: `what you paid to the robot: ${oneOf('deposit')}` },
  transfer: { value: '<status>', meaning: `what the robot pays to you: ${oneOf('transfer')}` },
  ready: { meaning: 'the sandbox runs, with both ledgers' },
  verification: { value: '<uuid>', meaning: 'which verification; only --callback and --ready go without' },
  after: { value: '<callback id>', meaning: 'with --callback: only later ones' },
  timeout: { value: '<duration>', meaning: 'how long, in real time', default: '30s' },
  ...CONNECTION,
} as const;

/** What has come, or undefined: not yet. May itself wait, but not longer than `leftMs`. */
type Look = (leftMs: number) => Promise<{ text: string; machine: unknown } | undefined>;

const POLL_MS = 100;
/** The longest that one request for the mailbox may wait. */
const LONGEST_POLL_MS = 60_000;

export const wait = command({
  name: 'wait',
  summary: 'waits for a callback or a state, and prints it',
  details: 'Exactly one of --callback, --result, --deposit, --transfer and --ready says for what.',
  options: OPTIONS,
  exits: { 1: 'it has not come in time, or cannot come any more', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp wait --ready --timeout 60s',
    'robot-vasp wait --callback VERIFICATION_RESULT --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    'robot-vasp wait --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc --deposit CREDITED',
  ],
  async run({ values, print }) {
    const timeoutMs = parseDuration(values.timeout);
    if (timeoutMs === undefined)
      throw wrongUsage(`--timeout: \`${values.timeout}\` is not a duration such as 30s`);
    const { what, look } = lookFor(connect(values), values);
    for (
      const end = elapsedMs() + timeoutMs;
      ;
      await pause(Math.min(POLL_MS, Math.max(0, end - elapsedMs())))
    ) {
      const found = await look(Math.max(0, Math.ceil(end - elapsedMs())));
      if (found) {
        print(found.text, found.machine);
        return 0;
      }
      if (elapsedMs() >= end) throw late(`${what} has not come within ${formatDuration(timeoutMs)}`);
    }
  },
});

const late = (message: string) => new Failure(1, 'TIMEOUT', message);

function lookFor(api: Client, values: Given<typeof OPTIONS>['values']): { what: string; look: Look } {
  const asked = (['callback', 'result', 'deposit', 'transfer', 'ready'] as const).filter(
    name => values[name],
  );
  const [condition] = asked;
  if (!condition || asked.length > 1)
    throw wrongUsage('exactly one of --callback, --result, --deposit, --transfer, --ready');
  if (values.after !== undefined && condition !== 'callback')
    throw wrongUsage('--after goes with --callback alone');
  if (condition === 'ready') return { what: 'readiness', look: readiness(api) };
  if (condition === 'callback')
    return {
      what: `a callback ${values.callback}`,
      look: callback(api, values.callback ?? '', values.verification, values.after),
    };
  const { verification: uuid } = values;
  const wanted = values[condition] ?? '';
  if (uuid === undefined) throw wrongUsage(`--${condition} needs --verification <uuid>`);
  const { states } = STATES[condition];
  if (!(states as readonly string[]).includes(wanted))
    throw wrongUsage(`--${condition}: \`${wanted}\` is none of ${states.join(', ')}`);
  return { what: `--${condition} ${wanted}`, look: state(api, uuid, condition, wanted) };
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
    return (
      first && { text: `${first.id}: ${first.callbackType} ${JSON.stringify(first.data)}`, machine: first }
    );
  };

type Entry = SandboxAnswers['timeline']['timeline'][number];

function state(api: Client, uuid: string, condition: State, wanted: string): Look {
  const { machine } = STATES[condition];
  return async () => {
    const { timeline } = await api.timeline(uuid);
    const last = timeline.findLast(({ what, to }: Entry) => what === machine && to !== null);
    if (last?.to === wanted)
      return {
        text: `${condition} ${wanted}, since ${last.at}: ${last.cause}`,
        machine: { verificationUuid: uuid, [condition]: wanted, at: last.at, cause: last.cause },
      };
    if (condition === 'result' && last && isOver(last.to ?? '', wanted))
      throw new Failure(1, 'OTHER-RESULT', `the result is ${last.to}, and will not become ${wanted}`);
    return undefined;
  };
}

/** REF-2.3: what has a result keeps it, unless an error report makes ERROR of VERIFIED. */
const isOver = (result: string, wanted: string): boolean =>
  (RESULT_VALUES as readonly string[]).includes(result) && !(result === 'VERIFIED' && wanted === 'ERROR');

const readiness =
  (api: Client): Look =>
  async () => {
    try {
      const { status, body } = await api.call('GET', '/readyz');
      return status === 200
        ? { text: `ready at ${api.url}`, machine: { url: api.url, ...(body as object) } }
        : undefined;
    } catch (error) {
      if (error instanceof Failure && error.exitCode === 3) return undefined;
      throw error;
    }
  };
