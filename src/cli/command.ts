import { didYouMean } from '../kernel/text.ts';
import type { Printed } from './output.ts';

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
