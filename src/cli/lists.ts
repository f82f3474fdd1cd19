import type { Answers } from '../client/answers.ts';
import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { RESULT_VALUES } from '../contract/reasons.ts';
import { CallbackStatus } from '../sandbox/callbacks/schema.ts';
import { type Command, command, type Option, type Options } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

interface Listing<A> {
  name: string;
  summary: string;
  /** The options with the names of the query parameters that they fill. */
  filters: Readonly<Record<string, Option & { parameter: string; value: string }>>;
  read(api: Client, query: Record<string, string>): Promise<A>;
  /** One line for each entry. */
  lines(answer: A): string[];
  /** The option that reads the next page. */
  next?(answer: A): string | null;
  examples: readonly string[];
}

const DEFAULT_LIMIT = '20';
const page = {
  limit: { parameter: 'limit', value: '<n>', meaning: `most entries, 1 to 999; default: ${DEFAULT_LIMIT}` },
  before: { parameter: 'before', value: '<position>', meaning: 'only earlier entries' },
};
const verification = {
  verification: {
    parameter: 'verificationUuid',
    value: '<uuid>',
    meaning: 'of this verification',
    listed: 'verifications',
  },
} as const;

/** A command that lists what a call of the API returns. `--json` prints the answer of the API. */
function listing<A>({ name, summary, filters, read, lines, next, examples }: Listing<A>): Command {
  const options: Options = { ...CONNECTION, ...filters };
  const declared = command({
    name,
    summary,
    options,
    exits: CONNECTION_EXITS,
    examples,
    async run({ values, print }) {
      const api = connect(values as never);
      const given = Object.entries(filters).flatMap(([option, { parameter }]) =>
        typeof values[option] === 'string' ? [[parameter, values[option]]] : [],
      );
      const limit = 'limit' in filters ? { limit: DEFAULT_LIMIT } : {};
      const answer = await read(api, { ...limit, ...Object.fromEntries(given) });
      const shown = lines(answer);
      const more = next?.(answer) ?? null;
      const rest = more === null ? [] : [`There are more: add --before ${more}`];
      print([...(shown.length === 0 ? ['none'] : shown), ...rest].join('\n'), answer);
      return 0;
    },
  });
  return declared as Command;
}

export const verifications = listing<Answers['verifications']>({
  name: 'verifications',
  summary: 'lists the verifications of your VASP, newest first',
  filters: {
    search: { parameter: 'search', value: '<words>', meaning: 'uuid, hash, address, name, amount, day' },
    result: {
      parameter: 'result',
      value: '<result>',
      meaning: 'VERIFIED, DENIED, UNKNOWN or ERROR',
      choices: RESULT_VALUES,
    },
    reason: { parameter: 'reason', value: '<code>', meaning: 'the exact reason' },
    symbol: { parameter: 'symbol', value: '<symbol>', meaning: 'ETH or XRP', choices: ASSET_SYMBOLS },
    role: {
      parameter: 'role',
      value: '<role>',
      meaning: 'your role: originating or beneficiary',
      choices: ['originating', 'beneficiary'],
    },
    status: {
      parameter: 'status',
      value: '<status>',
      meaning: 'OPEN or COMPLETED',
      choices: ['OPEN', 'COMPLETED'],
    },
    ...page,
  },
  read: (api, query) => api.verifications(query),
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
  next: ({ next }) => next,
  examples: ['robot-vasp verifications --result DENIED', 'robot-vasp verifications --search robbins --json'],
});

export const callbacks = listing<Answers['callbacks']>({
  name: 'callbacks',
  summary: 'lists the callbacks to your VASP, newest first',
  filters: {
    ...verification,
    type: {
      parameter: 'type',
      value: '<type>',
      meaning: 'for example VERIFICATION_RESULT or TX_REPORT',
      choices: CALLBACK_TYPES,
    },
    status: {
      parameter: 'status',
      value: '<status>',
      meaning: 'PENDING, DELIVERED, GIVEN-UP or MAILBOX',
      choices: CallbackStatus.options,
    },
    ...page,
  },
  read: (api, query) => api.callbacks({ order: 'newest', ...query }),
  lines: ({ callbacks: all }) =>
    all.map(({ id, createdAt, callbackType, verificationUuid, status, attempts }) => {
      const last = attempts.at(-1);
      const outcome = last ? `${attempts.length} × ${last.status ?? last.error}` : '';
      return [id, createdAt, callbackType, verificationUuid, status, outcome].join('  ').trimEnd();
    }),
  next: ({ next }) => next,
  examples: ['robot-vasp callbacks --status GIVEN-UP', 'robot-vasp callbacks --verification <uuid> --json'],
});

export const exchanges = listing<Answers['exchanges']>({
  name: 'exchanges',
  summary: 'lists the HTTP exchanges with your VASP, newest first',
  filters: {
    ...verification,
    operation: { parameter: 'operation', value: '<name>', meaning: 'for example verify-user or callback' },
    direction: {
      parameter: 'direction',
      value: '<direction>',
      meaning: 'IN: your calls; OUT: calls to your VASP',
      choices: ['IN', 'OUT'],
    },
    status: {
      parameter: 'status',
      value: '<status>',
      meaning: 'a status such as 503, a class such as 4xx, or none',
    },
    slow: { parameter: 'slow', value: '<ms>', meaning: 'only those that took at least this long' },
    ...page,
  },
  read: (api, query) => api.exchanges(query),
  lines: ({ exchanges: all }) =>
    all.map(({ id, at, direction, operation, method, url, status, error, durationMs }) =>
      [id, at, direction, operation, `${method} ${url}`, status ?? error, `${durationMs} ms`].join('  '),
    ),
  next: ({ next }) => next,
  examples: ['robot-vasp exchanges --status 4xx', 'robot-vasp exchanges --direction OUT --slow 500'],
});

export const faults = listing<Answers['faults']>({
  name: 'faults',
  summary: 'lists the faults that are ordered',
  filters: {},
  read: api => api.faults(),
  lines: ({ faults: all }) =>
    all.map(({ id, target, mode, left, used, meaning }) =>
      [id, target, mode, `used ${used}, left ${left ?? 'no limit'}`, meaning].join('  '),
    ),
  examples: ['robot-vasp faults', 'robot-vasp faults --json'],
});
