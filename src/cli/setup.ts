import { applySetup, parseSetup, readSetup, type Setup, setupText } from '../client/setup.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { textOf, writeText } from './input.ts';

const VERBS = ['export', 'import'] as const;
export const setup = command({
  name: 'setup',
  summary: 'writes users and faults of your VASP to one file, or reads them from it',
  details:
    '`import` adds to what is there. The robot chooses the addresses of users, so they differ elsewhere.',
  argument: { name: '<export|import>', meaning: 'write or read the file', choices: VERBS },
  moreArguments: [{ name: '<file>', meaning: 'the file, JSON' }],
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp setup export setup.json', 'robot-vasp setup import setup.json'],
  async run({ argument: verb, moreArguments: [file = ''], values, print }) {
    const api = connect(values);
    const content = verb === 'export' ? await readSetup(api) : parsed(await textOf(file), file);
    if (verb === 'export') await writeText(file, setupText(content));
    else await applySetup(api, content);
    const counts = { users: Object.keys(content.users).length, faults: content.faults.length };
    print(`${verb}ed ${counts.users} users and ${counts.faults} faults`, { file, ...counts });
    return 0;
  },
});

function parsed(content: string, file: string): Setup {
  const found = parseSetup(content);
  if (found) return found;
  throw wrongUsage(`${file} is no file of \`robot-vasp setup export\``);
}
