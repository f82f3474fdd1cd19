import { build, version } from '../kernel/program.ts';
import { type Command, command } from './command.ts';

/** Each file has the commands of these names. It is loaded on demand: `serve` does not load the other commands. */
const FILES: readonly [names: readonly string[], load: () => Promise<{ commands: object }>][] = [
  [['serve', 'enclave', 'robot'], () => import('./serve.ts')],
  [['demo'], () => import('./demo.ts')],
  [['vasp'], () => import('./vasp.ts')],
  [['ledger'], () => import('./ledger.ts')],
  [['backup', 'restore', 'compact'], () => import('./storage.ts')],
  [
    ['status', 'why', 'verifications', 'callbacks', 'exchanges', 'faults', 'deposit', 'advance', 'chain'],
    () => import('./calls.ts'),
  ],
  [['wait'], () => import('./wait.ts')],
  [['invite', 'export', 'import', 'forget'], () => import('./operator.ts')],
  [['replay', 'scenarios', 'setup', 'open'], () => import('./calls.ts')],
  [['tail'], () => import('./tail.ts')],
  [['mcp'], () => import('./mcp.ts')],
  [['check'], () => import('./check.ts')],
  [['init'], () => import('./init.ts')],
  [['ivms101'], () => import('./ivms101.ts')],
  [['verify-report'], () => import('./verify-report.ts')],
  [['version'], async () => ({ commands: { version: versionCommand } })],
];

export const NAMES = FILES.flatMap(([names]) => names);

export async function load(name: string): Promise<Command> {
  const [, file] = FILES.find(([names]) => names.includes(name))!;
  const { commands } = await file();
  return { name, ...(commands as Record<string, Omit<Command, 'name'>>)[name]! };
}

export const everyCommand = (): Promise<Command[]> => Promise.all(NAMES.map(load));

const versionCommand = command({
  summary: 'prints the version and the build',
  options: {},
  examples: ['robot-vasp version --json'],
  async run({ print }) {
    const own = build();
    print(`${version}+${own}`, { version, build: own });
    return 0;
  },
});
