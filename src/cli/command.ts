import { parseArgs } from 'node:util';

/** One command as data: parsing, refusals and help follow from it. */
export interface Command<O extends Options = Options> {
  name: string;
  summary: string;
  /** What it does beyond the summary. */
  details?: string;
  argument?: Argument;
  options: O;
  /** What a code means here, beside 0 and 2. */
  exits?: Readonly<Record<number, string>>;
  examples: readonly string[];
  /** Answers the exit code; nothing: the program goes on, or has ended well. */
  run(given: Given<O>): Promise<ExitCode | undefined>;
}

export interface Argument {
  /** As help shows it, e.g. `<duration>`. */
  name: string;
  meaning: string;
  isOptional?: boolean;
}

export interface Option {
  /** As help shows it, e.g. `<url>`. Without it the option is a flag. */
  value?: string;
  meaning: string;
  default?: string | false;
  /** Environment variable that counts where the option is not given. */
  env?: string;
}
export type Options = Readonly<Record<string, Option>>;

export interface Given<O extends Options = Options> {
  argument: string | undefined;
  values: { readonly [N in keyof O]: ValueOf<O[N]> };
  isJson: boolean;
  /** Text for people or, with --json, one line of JSON. */
  print(text: string, machine: unknown): void;
}
type ValueOf<P extends Option> = P extends { value: string }
  ? P extends { default: string }
    ? string
    : string | undefined
  : boolean;

export const EXIT_CODES = {
  0: 'done',
  1: 'it has not come to pass',
  2: 'wrong usage',
  3: 'the sandbox cannot be reached',
  4: 'the sandbox refused: the message says why',
} as const;
export type ExitCode = keyof typeof EXIT_CODES;

/** Ends the command with this code; `code` is for machines. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  readonly code: string;
  constructor(exitCode: ExitCode, code: string, message: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
export const wrongUsage = (message: string): Failure => new Failure(2, 'WRONG-USAGE', message);

export const EVERYWHERE = {
  json: { meaning: 'answer as JSON, one object per line; errors too, on standard error' },
  help: { meaning: 'this text' },
} satisfies Options;

/** Keeps the names and kinds of the options in its type. */
export const command = <const O extends Options>(declared: Command<O>): Command<O> => declared;

/** Throws a `Failure` with code 2. `env` fills in what is not given; an empty variable counts as unset. */
export function parse<O extends Options>(
  { name, argument, options }: Command<O>,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Pick<Given<O>, 'argument' | 'values'> {
  const { values, positionals } = parsed({ ...options, ...EVERYWHERE }, argv);
  const [first, ...more] = positionals;
  if (more.length > 0 || (first !== undefined && !argument))
    throw wrongUsage(
      `\`${(argument ? more : positionals).join(' ')}\` is too much: see robot-vasp ${name} --help`,
    );
  if (first === undefined && argument && !argument.isOptional)
    throw wrongUsage(`${argument.name} is missing: ${argument.meaning}`);
  const filled = Object.entries(options).map(([option, { value, env: variable, default: fallback }]) => [
    option,
    values[option] ?? (value === undefined ? false : env[variable ?? ''] || fallback),
  ]);
  return { argument: first, values: Object.fromEntries(filled) };
}

function parsed(options: Options, argv: readonly string[]) {
  const types = Object.entries(options).map(([option, { value }]) => [
    option,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(types),
      allowPositionals: true,
    });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    const [said] = (error as Error).message.split(/\. |\n/);
    const possible = Object.keys(options).map(option => `--${option}`);
    throw wrongUsage(`${said}. Possible: ${possible.join(', ')}`);
  }
}
