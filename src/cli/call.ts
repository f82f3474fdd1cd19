import type { Answers, Client } from '../client/client.ts';
import { withInvisible } from '../kernel/text.ts';
import { type Call, type Command, command, type ExitCode, type Option, type Options, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { textOf } from './input.ts';

/** What a person reads, and what --json prints: one answer, or the entries of a list. */
interface Outcome {
  lines: readonly string[];
  answer?: unknown;
  entries?: readonly unknown[];
  /** Of a list: how to read on. */
  more?: string;
  code?: ExitCode;
}

interface Calling<O extends Options, C extends Options> extends Omit<Command<O>, 'name' | 'options' | 'run'> {
  options?: O;
  call(api: Client, given: Pick<Call<O & C>, 'args' | 'values' | 'progress'>): Promise<Outcome>;
}

/** Makes commands that call a running sandbox and print what it returns. `connection`: their options to reach it. */
const callingBy =
  <const C extends Options>(connection: C, connected: (values: Call<C>['values']) => Client) =>
  <const O extends Options = Record<never, never>>({ call, options, exits, ...declared }: Calling<O, C>) =>
    command({
      ...declared,
      options: { ...options, ...connection } as O & C,
      exits: { ...CONNECTION_EXITS, ...exits },
      async run({ print, printList, ...given }) {
        const api = connected(given.values as Call<C>['values']);
        const { lines, answer, entries, more, code = 0 } = await call(api, given);
        if (entries) printList(lines.join('\n') || 'none', entries, more);
        else print(lines.join('\n'), answer);
        return code;
      },
    });

export const calling = callingBy(CONNECTION, connect);

/** As the operator of a hosted sandbox. */
export const operating = callingBy(
  {
    url: CONNECTION.url,
    'operator-key': { value: '<key>', meaning: 'key of the operator', env: 'OPERATOR_KEY' },
    'operator-key-file': { value: '<file>', meaning: 'file that holds this key', env: 'OPERATOR_KEY_FILE' },
    cell: { value: '<name>', meaning: 'the cell behind the proxy (without it: the first one)' },
  },
  ({ url, cell, 'operator-key': typed, 'operator-key-file': file }) => {
    const key = typed ?? (file && textOf(file).trimEnd());
    if (!key) throw wrongUsage('the key of the operator is missing: set OPERATOR_KEY or OPERATOR_KEY_FILE');
    return connect({ url, 'api-key': key, headers: cell ? { 'x-cell': cell } : {} });
  },
);

type ListName = 'verifications' | 'callbacks' | 'exchanges' | 'faults';
interface Listing<N extends ListName> extends Pick<Command, 'summary' | 'examples'> {
  /** They fill the query parameters of their name, or of `parameter`. */
  filters: Readonly<Record<string, Option & { value: string; parameter?: string }>>;
  /** Sent with each call. */
  query?: Readonly<Record<string, string>>;
  entries(answer: Answers[N]): readonly unknown[];
  lines(answer: Answers[N]): string[];
}

/** Lists what the call of this name returns. */
export const listing = <N extends ListName>(name: N, { filters, query, entries, lines, ...declared }: Listing<N>) =>
  calling({
    ...declared,
    options: filters,
    async call(api, { values }) {
      const given = Object.entries(filters).map(([option, { parameter = option }]) => [parameter, values[option]]);
      const read = api[name] as (query: object) => Promise<Answers[N]>;
      const answer = await read({ ...query, ...Object.fromEntries(given) });
      const isLast = !('next' in answer) || answer.next === null;
      const more = isLast ? undefined : `There are more: add --before ${answer.next}`;
      // A value has no lines of its own.
      return { lines: lines(answer).map(withInvisible), entries: entries(answer), more };
    },
  });
