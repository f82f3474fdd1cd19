import { Failure, failureOf, overview, run, wrongUsage } from './cli/command.ts';
import { everyCommand, load, NAMES } from './cli/commands.ts';
import { withEnvFile } from './cli/env-file.ts';
import { endWithoutOutput, shownText } from './cli/output.ts';
import { didYouMean } from './kernel/text.ts';

/** As in `engines` of package.json. */
const OLDEST_NODE = '20.19';

/** Options without a command are those of `serve`. */
function withCommand(argv: string[]): [string, ...string[]] {
  const [first = 'serve', ...rest] = argv;
  const isOption = first.startsWith('--') && !['--version', '--help'].includes(first);
  return isOption ? ['serve', first, ...rest] : [first, ...rest];
}

async function main(argv: string[]): Promise<number | undefined> {
  const [first, ...rest] = withCommand(argv);
  const { node } = process.versions;
  if (node.localeCompare(OLDEST_NODE, undefined, { numeric: true }) < 0)
    throw new Failure(1, 'OLD-NODE', `The program needs Node.js ${OLDEST_NODE} or newer; this is ${node}.`);
  const name = ['--version', '-v', '-V'].includes(first) ? 'version' : first;
  if (['help', '--help', '-h'].includes(name)) {
    const [about, ...others] = rest;
    return about && !about.startsWith('-') ? main([about, ...others, '--help']) : help(rest);
  }
  if (!NAMES.includes(name))
    throw wrongUsage(`Unknown command: ${name}.${didYouMean(name, NAMES)} Commands: ${NAMES.join(', ')}, help`);
  return run(await load(name), rest, {
    env: environment(),
    out: text => void process.stdout.write(`${text}\n`),
    error: text => void process.stderr.write(`${text}\n`),
  });
}

/** With the variables of `.env`. A command that cannot do without the file says so. */
function environment(): Record<string, string | undefined> {
  try {
    return withEnvFile(process.env).env;
  } catch {
    return process.env;
  }
}

async function help(argv: string[]): Promise<number> {
  const commands = await everyCommand();
  process.stdout.write(`${overview(commands, argv.includes('--json'))}\n`);
  return 0;
}

endWithoutOutput();
main(process.argv.slice(2)).then(
  code => {
    if (code !== undefined) process.exitCode = code;
  },
  thrown => {
    const { exitCode, code, message } = failureOf(thrown, process.argv, false);
    const isJson = process.argv.includes('--json');
    process.stderr.write(`${isJson ? JSON.stringify({ code, message }) : shownText(`robot-vasp: ${message}`)}\n`);
    process.exit(exitCode);
  },
);
