import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { FaultOrder, UserChange } from '../client/answers.ts';
import type { Client } from '../client/client.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { didYouMean } from './did-you-mean.ts';

const VERBS = ['export', 'import'] as const;
const FORMAT = 'robot-vasp setup 1';

const Setup = z.strictObject({
  format: z.literal(FORMAT),
  users: z.record(z.string(), z.looseObject({})),
  faults: z.array(z.looseObject({})),
});
type Setup = z.infer<typeof Setup>;

export const setup = command({
  name: 'setup',
  summary: 'writes users and faults of your VASP to one file, or reads them from it',
  details:
    '`import` adds to what is there. The robot chooses the addresses of users, so they differ elsewhere.',
  argument: { name: '<export|import>', meaning: 'write or read the file' },
  moreArguments: [{ name: '<file>', meaning: 'the file, JSON' }],
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp setup export setup.json', 'robot-vasp setup import setup.json'],
  async run({ argument = '', moreArguments: [file = ''], values, print }) {
    if (argument !== 'export' && argument !== 'import')
      throw wrongUsage(`\`${argument}\` is none of ${VERBS.join(', ')}.${didYouMean(argument, VERBS)}`);
    const api = connect(values);
    const content = argument === 'export' ? await read(api) : parsed(await text(file), file);
    if (argument === 'export') await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
    else await apply(api, content);
    const counts = { users: Object.keys(content.users).length, faults: content.faults.length };
    print(`${argument}ed ${counts.users} users and ${counts.faults} faults`, { file, ...counts });
    return 0;
  },
});

/** The users that differ from the fixtures, and the faults that belong to no verification. */
async function read(api: Client): Promise<Setup> {
  const { users } = await api.users();
  const { faults } = await api.faults();
  const own = users.filter(({ source }) => source !== 'fixture');
  return {
    format: FORMAT,
    users: Object.fromEntries(
      own.map(({ id, kind, names, kyc, behaviour }) => [id, { kind, names, kyc, behaviour }]),
    ),
    faults: faults
      .filter(({ verificationUuid }) => verificationUuid === null)
      .map(({ target, mode, left, parameters }) => ({
        target,
        mode,
        ...(left === null ? {} : { times: left }),
        ...parameters,
      })),
  };
}

async function apply(api: Client, { users, faults }: Setup): Promise<void> {
  for (const [id, user] of Object.entries(users)) await api.putUser(id, user as UserChange);
  for (const fault of faults) await api.addFault(fault as FaultOrder);
}

const text = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`${file} cannot be read (${error.code})`);
  });

function parsed(content: string, file: string): Setup {
  try {
    return Setup.parse(JSON.parse(content));
  } catch {
    throw wrongUsage(`${file} is no file of \`robot-vasp setup export\``);
  }
}
