import { type Command, Failure, type Options, parse } from './command.ts';

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
  // `check --json FILE` names a file.
  const isJson = argv.includes('--json') && !command.options.json;
  const print = (text: string, machine: unknown) => out(isJson ? JSON.stringify(machine) : text);
  try {
    if (argv.includes('--help') || argv.includes('-h')) {
      const { helpData, helpText } = await import('./help.ts');
      print(helpText(command as unknown as Command), helpData(command as unknown as Command));
      return 0;
    }
    return await command.run({ ...parse(command, argv, env), isJson, print });
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { code, message, exitCode } = thrown;
    error(isJson ? JSON.stringify({ code, message }) : `robot-vasp ${command.name}: ${message}`);
    return exitCode;
  }
}
