import type { Answers } from '../client/client.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { RESULT_VALUES } from '../contract/clauses.ts';
import { questionOf } from '../contract/vasp-api.ts';
import { withInvisible } from '../kernel/text.ts';
import { CallbackStatus } from '../sandbox/callbacks.ts';
import { type Command, command, type Option, type Options } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

interface Listing<N extends ListName> {
  /** Of the command, and of the method of the client that it calls. */
  name: N;
  summary: string;
  /** The options; they fill the query parameters of their name. */
  filters: Readonly<Record<string, Option & { value: string; parameter?: string }>>;
  /** Sent with each call. */
  query?: Readonly<Record<string, string>>;
  entries(answer: Answers[N]): readonly unknown[];
  lines(answer: Answers[N]): string[];
  examples: readonly string[];
}
type ListName = 'verifications' | 'callbacks' | 'exchanges' | 'faults';

const DEFAULT_LIMIT = '20';
const page = {
  limit: { value: '<n>', meaning: `most entries, 1 to 999; default: ${DEFAULT_LIMIT}` },
  before: { value: '<position>', meaning: 'only earlier entries' },
};
const verification = {
  verification: { parameter: 'verificationUuid', value: '<uuid>', meaning: 'of this verification' },
} as const;

/** A command that lists what a call of the API returns. */
function listing<N extends ListName>({ name, summary, filters, query, entries, lines, examples }: Listing<N>): Command {
  const declared = command({
    name,
    summary,
    options: { ...CONNECTION, ...filters } as Options,
    exits: CONNECTION_EXITS,
    examples,
    async run({ values, printList }) {
      const given = Object.entries(filters).flatMap(([option, { parameter = option }]) =>
        typeof values[option] === 'string' ? [[parameter, values[option]]] : [],
      );
      const limit = 'limit' in filters ? { limit: DEFAULT_LIMIT } : {};
      const read = connect(values as never)[name] as (query: object) => Promise<Answers[N]>;
      const answer = await read({ ...limit, ...query, ...Object.fromEntries(given) });
      // A value has no lines of its own.
      const shown = lines(answer).map(withInvisible);
      const isLast = !('next' in answer) || answer.next === null;
      const more = isLast ? undefined : `There are more: add --before ${answer.next}`;
      printList(shown.join('\n') || 'none', entries(answer), more);
      return 0;
    },
  });
  return declared as Command;
}

export const verifications = listing({
  name: 'verifications',
  summary: 'lists the verifications of your VASP, newest first',
  filters: {
    search: { value: '<words>', meaning: 'uuid, hash, address, name, amount, day' },
    result: { value: '<result>', meaning: 'VERIFIED, DENIED, UNKNOWN or ERROR', choices: RESULT_VALUES },
    reason: { value: '<code>', meaning: 'the exact reason' },
    symbol: { value: '<symbol>', meaning: 'ETH or XRP', choices: ASSET_SYMBOLS },
    role: {
      value: '<role>',
      meaning: 'your role: originating or beneficiary',
      choices: ['originating', 'beneficiary'],
    },
    status: { value: '<status>', meaning: 'OPEN or COMPLETED', choices: ['OPEN', 'COMPLETED'] },
    ...page,
  },
  entries: answer => answer.verifications,
  lines: ({ verifications: all }) =>
    all.map(({ createdAt, verificationUuid, role, amount, symbol, result, reason, money }) =>
      [
        createdAt,
        verificationUuid,
        role === 'originating' ? 'you pay' : 'robot pays',
        `${amount} ${symbol}`,
        result === null ? 'OPEN' : reason === null || reason === 'OK' ? result : `${result}/${reason}`,
        money?.status ?? '',
      ]
        .join('  ')
        .trimEnd(),
    ),
  examples: ['robot-vasp verifications --result DENIED', 'robot-vasp verifications --search robbins --json'],
});

export const callbacks = listing({
  name: 'callbacks',
  summary: 'lists the callbacks to your VASP, newest first',
  filters: {
    ...verification,
    type: { value: '<type>', meaning: 'for example VERIFICATION_RESULT or TX_REPORT', choices: CALLBACK_TYPES },
    status: {
      value: '<status>',
      meaning: 'PENDING, DELIVERED, LOST, GIVEN-UP or MAILBOX',
      choices: CallbackStatus.options,
    },
    ...page,
  },
  query: { order: 'newest' },
  entries: answer => answer.callbacks,
  lines: ({ callbacks: all }) =>
    all.map(({ id, createdAt, callbackType, verificationUuid, status, attempts }) => {
      const last = attempts.at(-1);
      const outcome = last ? `${attempts.length} × ${last.status ?? last.error}` : '';
      return [id, createdAt, callbackType, verificationUuid, status, outcome].join('  ').trimEnd();
    }),
  examples: ['robot-vasp callbacks --status GIVEN-UP', 'robot-vasp callbacks --verification <uuid> --json'],
});

export const exchanges = listing({
  name: 'exchanges',
  summary: 'lists the HTTP exchanges with your VASP, newest first',
  filters: {
    ...verification,
    operation: { value: '<name>', meaning: 'for example verify-user or callback' },
    direction: { value: '<direction>', meaning: 'IN: your calls; OUT: calls to your VASP', choices: ['IN', 'OUT'] },
    status: { value: '<status>', meaning: 'a status such as 503, a class such as 4xx, or none' },
    slow: { value: '<ms>', meaning: 'only those that took at least this long' },
    ...page,
  },
  entries: answer => answer.exchanges,
  lines: ({ exchanges: all }) =>
    all.map(({ id, at, direction, operation, method, url, status, error, durationMs }) =>
      [id, at, direction, callText(operation), `${method} ${url}`, status ?? error, `${durationMs} ms`].join('  '),
    ),
  examples: ['robot-vasp exchanges --status 4xx', 'robot-vasp exchanges --direction OUT --slow 500'],
});

/** `verify-user` is a call of the VASP, `asks you: verify-user` one to it. */
function callText(operation: string): string {
  const question = questionOf(operation);
  return question === undefined ? operation : `asks you: ${question}`;
}

export const faults = listing({
  name: 'faults',
  summary: 'lists the faults that are ordered and the chain controls that are on',
  filters: {},
  entries: answer => [...answer.faults, ...answer.controls],
  lines: ({ faults: all, controls }) => [
    ...all.map(({ id, target, mode, left, used, meaning }) =>
      [id, target, mode, `used ${used}, left ${left ?? 'no limit'}`, meaning].join('  '),
    ),
    ...controls.map(({ symbol, control }) => `control  ${symbol} ${control}`),
  ],
  examples: ['robot-vasp faults', 'robot-vasp faults --json'],
});
