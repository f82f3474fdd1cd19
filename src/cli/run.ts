import { Refused } from '../client/client.ts';
import { ticker } from '../kernel/clock.ts';
import { ConfigError, StartProblem } from '../kernel/program.ts';
import { FixtureError, UnreadableFile } from '../kernel/text-file.ts';
import { type Command, type EVERYWHERE, Failure, type Options, parse } from './command.ts';
import { type Printed, shownText } from './output.ts';

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
      const { helpData, helpText } = await import('./help.ts');
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
