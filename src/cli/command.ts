import { parseArgs } from 'node:util';
import { didYouMean } from '../kernel/text.ts';
import type { Printed } from './output.ts';

/** A command as data. Parsing and help use it. */
export interface Command<O extends Options = Options> {
  name: string;
  summary: string;
  /** More about it, below the summary. */
  details?: string;
  argument?: Argument;
  moreArguments?: readonly Argument[];
  options: O;
  /** Meanings of its exit codes besides 0 and 2. */
  exits?: Readonly<Record<number, string>>;
  examples: readonly string[];
  /** The work of the command, shown while it takes longer than a second. Default: its summary. */
  progress?: string;
  /** Returns the exit code. Undefined: the command keeps running. */
  run(call: Call<O>): Promise<ExitCode | undefined>;
}

export interface Argument {
  /** As in the help, for example `<duration>`. */
  name: string;
  meaning: string;
  /** The only values, in any case. */
  choices?: readonly string[];
  isOptional?: boolean;
}

export interface Option {
  /** As in the help, for example `<url>`. Without it the option is a flag. */
  value?: string;
  meaning: string;
  /** The only values, in any case. */
  choices?: readonly string[];
  default?: string | false;
  /** Environment variable that replaces a missing option. */
  env?: string;
  /** What the configuration of the sandbox says goes before the default. */
  configured?(env: Environment): string | undefined;
}
type Environment = Readonly<Record<string, string | undefined>>;
export type Options = Readonly<Record<string, Option>>;

export interface Call<O extends Options = Options> {
  argument: string | undefined;
  moreArguments: readonly string[];
  values: { readonly [N in keyof O]: ValueOf<O[N]> };
  isJson: boolean;
  /** Prints text, or with --json one line of JSON. In the text only `Painted` parts have a colour. */
  print(text: Printed, machine: unknown): void;
  /** Prints text, or with --json one line of JSON for each entry. `more`: a last line, on standard error with --json. */
  printList(text: string, entries: readonly unknown[], more?: string): void;
  /** The present work of the command, shown while it takes longer than a second. */
  progress(text: string): void;
}
type ValueOf<P extends Option> = P extends { value: string }
  ? TextOf<P> | (P extends { default: string } ? never : undefined)
  : boolean;
type TextOf<P extends Option> = P extends { choices: readonly (infer C extends string)[] } ? C : string;

export const EXIT_CODES = {
  0: 'done',
  1: 'not achieved',
  2: 'wrong usage',
  3: 'the sandbox does not answer',
  4: 'the sandbox refused the request, see the message',
  129: 'its terminal was closed, which stopped it',
  130: 'Ctrl-C stopped it, after cleaning up',
  143: 'SIGTERM stopped it, after cleaning up',
} as const;
export type ExitCode = keyof typeof EXIT_CODES;

/** Ends the command with an exit code. `code` names the problem in JSON. */
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
  json: { meaning: 'print JSON: one object on each line, of a list one for each entry (errors on standard error)' },
  help: { meaning: 'print this help' },
  debug: { meaning: 'print where an unexpected failure comes from' },
} satisfies Options;

/** Keeps the names and types of the options. */
export const command = <const O extends Options>(declared: Command<O>): Command<O> => declared;

/** Throws a `Failure` with code 2. `env` replaces missing options. An empty variable counts as unset. */
export function parse<O extends Options>(
  { name, argument, moreArguments = [], options }: Command<O>,
  argv: readonly string[],
  env: Environment,
): Pick<Call<O>, 'argument' | 'moreArguments' | 'values'> {
  const words = options.report ? withReport(argv, argument?.choices) : argv;
  const { values, positionals } = parsed({ ...EVERYWHERE, ...options }, words);
  const declared = [...(argument ? [argument] : []), ...moreArguments];
  const fileAdvice = (typed: string) =>
    values.json && typed.endsWith('.json') ? `--json takes no file: write --json > ${typed}` : '';
  const surplus = positionals.slice(declared.length);
  if (surplus.length > 0)
    throw wrongUsage(
      `unexpected argument \`${surplus.join(' ')}\`. ${fileAdvice(surplus[0]!) || `See robot-vasp ${name} --help`}`,
    );
  const missing = declared.find(({ isOptional }, place) => !isOptional && !positionals[place]?.trim());
  if (missing) throw wrongUsage(`${missing.name} is missing: ${missing.meaning}`);
  const filled = Object.entries(options).map(
    ([option, { value, choices, env: variable, configured, default: fallback }]) => {
      const unnamed = () => env[variable ?? ''] || configured?.(env) || fallback;
      const given = values[option] ?? (value === undefined ? false : unnamed());
      return [option, typeof given === 'string' && choices ? choiceOf(given, choices, `--${option}: `) : given];
    },
  );
  const [first, ...more] = positionals.map((typed, place) => {
    const { choices } = declared[place] ?? {};
    return choices ? choiceOf(typed, choices, '', fileAdvice(typed)) : typed;
  });
  return { argument: first, moreArguments: more, values: Object.fromEntries(filled) };
}

/** `--json FILE` of a command with `--report` also writes the file. */
const withReport = (argv: readonly string[], choices: readonly string[] = []): string[] =>
  argv.flatMap((word, place) =>
    argv[place - 1] === '--json' && /^[^-].*[./]/.test(word) && !choices.includes(word) ? ['--report', word] : [word],
  );

/** The choice that was typed, in any case. Throws wrong usage that names all of them, with the advice or the nearest one. */
export function choiceOf<T extends string>(typed: string, choices: readonly T[], where = '', advice = ''): T {
  const found = choices.find(each => each.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  const more = advice ? ` ${advice}` : didYouMean(typed, choices);
  throw wrongUsage(`${where}\`${typed}\` is none of ${choices.join(', ')}.${more}`);
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
    const [problem] = (error as Error).message.split(/\. |\.?\n/);
    const names = Object.keys(options).map(option => `--${option}`);
    const [unknown = ''] = /--[\w-]+/.exec(problem ?? '') ?? [];
    const isValue = (error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE';
    const advice = isValue ? ` A value that begins with a dash is written ${unknown}=-1.` : '';
    throw wrongUsage(`${problem}.${advice}${didYouMean(unknown, names)} Options: ${names.join(', ')}`);
  }
}
