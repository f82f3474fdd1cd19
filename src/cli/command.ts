import { Command as Commander, CommanderError, Help } from 'commander';
import { Refused } from '../client/client.ts';
import { ticker } from '../kernel/clock.ts';
import { ConfigError, INSTALL, StartProblem } from '../kernel/program.ts';
import { didYouMean } from '../kernel/text.ts';
import { FixtureError, UnreadableFile } from '../kernel/text-file.ts';
import { type Printed, shownText } from './output.ts';

/** A command as data. Parsing and help use it. */
export interface Command<O extends Options = Options> {
  name: string;
  summary: string;
  /** More about it, below the summary. */
  details?: string;
  args?: readonly Argument[];
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
  isRequired?: boolean;
  /** Environment variable that replaces a missing option. */
  env?: string;
  /** What the configuration of the sandbox says goes before the default. */
  configured?(env: Environment): string | undefined;
}
export type Environment = Readonly<Record<string, string | undefined>>;
export type Options = Readonly<Record<string, Option>>;

export interface Call<O extends Options = Options> {
  args: readonly string[];
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
  ? TextOf<P> | (P extends { default: string } | { isRequired: true } ? never : undefined)
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

/** Keeps the names and types of the options. The name of the command is its key among the `commands` of its file. */
export const command = <const O extends Options>(declared: Omit<Command<O>, 'name'>) => declared;

/** The choice that was typed, in any case. Throws wrong usage that names all of them, with the advice or the nearest one. */
export function choiceOf<T extends string>(typed: string, choices: readonly T[], where = '', advice = ''): T {
  const found = choices.find(each => each.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  const more = advice ? ` ${advice}` : didYouMean(typed, choices);
  throw wrongUsage(`${where}\`${typed}\` is none of ${choices.join(', ')}.${more}`);
}

type Declared = Pick<Command, 'name' | 'summary' | 'details' | 'args' | 'options'>;

const NO_TERMINAL = 1000;

/** The command as `commander` takes it, which parses, suggests and writes the help. */
function made({ name, summary, details, args = [], options }: Declared): Commander {
  const command = new Commander(`robot-vasp ${name}`.trimEnd())
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.${details ? ` ${details}` : ''}`)
    .configureOutput({ writeErr() {}, getOutHelpWidth: () => process.stdout.columns || NO_TERMINAL })
    .exitOverride()
    .helpOption(false)
    .helpCommand(false)
    .allowExcessArguments();
  for (const { name: shown, meaning, isOptional } of args)
    command.argument(isOptional ? `[${shown.slice(1, -1)}]` : shown, meaning);
  for (const [option, spec] of Object.entries({ ...EVERYWHERE, ...options } as Options))
    command.option(`--${option}${spec.value ? ` ${spec.value}` : ''}`, meaningOf(spec));
  return command;
}

function meaningOf({ meaning, default: fallback, env }: Option): string {
  const defaults = [...(env ? [`$${env}`] : []), ...(fallback ? [fallback] : [])];
  return defaults.length === 0 ? meaning : `${meaning}; default: ${defaults.join(' or ')}`;
}

/** Throws a `Failure` with code 2. `env` replaces missing options. An empty variable counts as unset. */
function parse<O extends Options>(
  declared: Command<O>,
  argv: readonly string[],
  env: Environment,
): Pick<Call<O>, 'args' | 'values'> {
  const { name, args: places = [], options } = declared;
  const command = parsed(made(declared as unknown as Command), options.report ? withReport(argv, places[0]) : argv);
  const toFile = (typed: string) =>
    argv.includes('--json') && typed.endsWith('.json') ? `--json takes no file: write --json > ${typed}` : '';
  const surplus = command.args[places.length];
  if (surplus !== undefined)
    throw wrongUsage(`unexpected argument \`${surplus}\`. ${toFile(surplus) || `See robot-vasp ${name} --help`}`);
  const args = command.args.map((typed, place) => {
    const { name: shown, meaning, choices, isOptional } = places[place]!;
    if (!isOptional && !typed.trim()) throw wrongUsage(`${shown} is missing: ${meaning}`);
    return choices ? choiceOf(typed, choices, '', toFile(typed)) : typed;
  });
  const given = new Map(command.options.map(each => [each.long, command.getOptionValue(each.attributeName())]));
  const values = Object.entries(options).map(([option, { value, choices, env: variable, configured, ...spec }]) => {
    const unnamed = () => env[variable ?? ''] || configured?.(env) || spec.default;
    const found = given.get(`--${option}`) ?? (value === undefined ? false : unnamed());
    if (spec.isRequired && found === undefined) throw wrongUsage(`--${option} is missing: ${spec.meaning}`);
    return [option, typeof found === 'string' && choices ? choiceOf(found, choices, `--${option}: `) : found];
  });
  return { args, values: Object.fromEntries(values) };
}

function parsed(command: Commander, argv: readonly string[]): Commander {
  try {
    return command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const known = command.options.map(({ long }) => long).join(', ');
    throw wrongUsage(`${error.message.replace('error: ', '').replaceAll('\n', ' ')}. Options: ${known}`);
  }
}

/** `--json FILE` of a command with `--report` also writes the file. */
const withReport = (argv: readonly string[], { choices = [] }: Partial<Argument> = {}): string[] =>
  argv.flatMap((word, place) =>
    argv[place - 1] === '--json' && /^[^-].*[./]/.test(word) && !choices.includes(word) ? ['--report', word] : [word],
  );

/** The help of the library, with exit codes and more lines below it. */
const written = (command: Commander, exits: Readonly<Record<number, string>>, lines: readonly string[]): string =>
  command
    .configureHelp({
      subcommandTerm: each => each.name(),
      formatHelp(each, help) {
        const width = help.padWidth(each, help);
        const rows = Object.entries(exits).map(([code, meaning]) => help.formatItem(code, width, meaning, help));
        return [Help.prototype.formatHelp.call(this, each, help), 'Exit codes:', ...rows, '', ...lines].join('\n');
      },
    })
    .helpInformation();

const helpText = (command: Command): string =>
  written(made(command), exitsOf(command.exits), ['Examples:', ...command.examples.map(each => `  ${each}`)]);

/** The list of commands, as text or as one line of JSON. */
export function overview(commands: readonly Command[], isJson: boolean): string {
  if (isJson) return JSON.stringify({ commands: commands.map(helpData) });
  const program = made({ name: '', summary: 'the test counterpart for Travel Rule integrations', options: {} });
  for (const { name, summary } of commands) program.command(name).description(summary);
  return written(program, EXIT_CODES, [
    '`robot-vasp <command> --help` explains a command. Without a command, `serve` runs.',
    `\`${INSTALL}\` makes \`robot-vasp\` a command.`,
  ]);
}

const helpData = ({ run: _, progress: __, options, exits, ...declared }: Command) => ({
  ...declared,
  options: { ...EVERYWHERE, ...options },
  exits: exitsOf(exits),
});

const exitsOf = (exits: Command['exits'] = {}): Readonly<Record<number, string>> => ({
  0: EXIT_CODES[0],
  2: EXIT_CODES[2],
  ...exits,
});

/** Environment and output of a command. Tests replace those of the process. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  error(text: string): void;
}

/** Runs one command. Returns the exit code. Undefined: the command keeps running. */
export async function run<O extends Options>(
  command: Command<O>,
  argv: readonly string[],
  { env, out, error }: Terminal,
): Promise<number | undefined> {
  const isJson = argv.includes('--json');
  const progress = ticker(command.progress ?? command.summary, line => {
    if (!isJson) error(shownText(line));
  });
  const print = (text: Printed, machine: unknown) => {
    progress.restart();
    out(isJson ? JSON.stringify(machine) : shownText(text));
  };
  const printList = (text: string, entries: readonly unknown[], more?: string) => {
    progress.restart();
    for (const line of isJson ? entries.map(each => JSON.stringify(each)) : [shownText(text)]) out(line);
    if (more === undefined) return;
    if (isJson) error(JSON.stringify({ code: 'MORE', message: more }));
    else out(shownText(more));
  };
  try {
    if (argv.includes('--help') || argv.includes('-h')) {
      print(helpText(command as unknown as Command), helpData(command as unknown as Command));
      return 0;
    }
    return await command.run({ ...parse(command, argv, env), isJson, print, printList, progress: progress.now });
  } catch (thrown) {
    const { code, message, exitCode } = failureOf(thrown, argv, 'api-key' in command.options);
    error(isJson ? JSON.stringify({ code, message }) : shownText(`robot-vasp ${command.name}: ${message}`));
    return exitCode;
  } finally {
    progress.stop();
  }
}

const UNAUTHORIZED = 401;
const WITH_KEY = ' Give the key with --api-key, or set ROBOT_VASP_API_KEY.';

export function failureOf(thrown: unknown, argv: readonly string[], takesKey: boolean): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof Refused) {
    const advice = takesKey && thrown.status === UNAUTHORIZED ? WITH_KEY : '';
    return new Failure(4, thrown.code ?? `HTTP-${thrown.status}`, thrown.message + advice);
  }
  if (thrown instanceof ConfigError) return new Failure(2, 'CONFIGURATION', thrown.message);
  if (thrown instanceof UnreadableFile) return new Failure(1, 'FILE', thrown.message);
  if (thrown instanceof StartProblem) return new Failure(1, 'STORAGE', thrown.message);
  if (thrown instanceof FixtureError)
    return new Failure(1, 'FIXTURES', `FIXTURES_PATH is the folder of the fixtures. ${thrown.message}`);
  return unexpected(thrown, argv);
}

const DEBUG = '--debug' satisfies `--${keyof typeof EVERYWHERE}`;

/** The stack stands in the message only with `--debug`. */
function unexpected(thrown: unknown, argv: readonly string[]): Failure {
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = argv.includes(DEBUG) ? (stack ?? message) : `${message}. Add ${DEBUG} to see where it comes from`;
  return new Failure(1, 'UNEXPECTED-FAILURE', `unexpected failure: ${text}`);
}
