import type { Client } from '../client/client.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { jsonOf, textOf } from './input.ts';

/** Commands of the operator of a hosted sandbox. */

const OPERATOR = {
  url: CONNECTION.url,
  'operator-key': { value: '<key>', meaning: 'key of the operator', env: 'OPERATOR_KEY' },
  'operator-key-file': { value: '<file>', meaning: 'file that holds this key', env: 'OPERATOR_KEY_FILE' },
  cell: { value: '<name>', meaning: 'the cell behind the proxy (without it: the first one)' },
} as const;
const VASP = { vasp: { value: '<vaspId>', meaning: 'the VASP' } } as const;

interface Operator {
  url: string;
  'operator-key': string | undefined;
  'operator-key-file': string | undefined;
  cell: string | undefined;
}

async function asOperator({ url, cell, ...given }: Operator): Promise<Client> {
  const { 'operator-key': typed, 'operator-key-file': file } = given;
  const key = typed ?? (file === undefined ? undefined : textOf(file).trimEnd());
  if (key === undefined) throw wrongUsage('the key of the operator is missing: set OPERATOR_KEY or OPERATOR_KEY_FILE');
  return connect({ url, 'api-key': key, ...(cell === undefined ? {} : { headers: { 'x-cell': cell } }) });
}

function required(vaspId: string | undefined): string {
  if (vaspId === undefined) throw wrongUsage('--vasp is missing: write the vaspId of the VASP');
  return vaspId;
}

export const invite = command({
  name: 'invite',
  summary: 'invites a VASP to a hosted sandbox',
  details: 'The invitation is printed once and works once, at POST /sandbox/v1/registrations.',
  options: {
    ...OPERATOR,
    name: { value: '<name>', meaning: 'whom you invite' },
    'expires-in': { value: '<duration>', meaning: 'how long the invitation is valid', default: '7d' },
  },
  exits: CONNECTION_EXITS,
  examples: ['OPERATOR_KEY=… ROBOT_VASP_URL=https://sandbox.example robot-vasp invite --name "Bright Exchange"'],
  async run({ values, print }) {
    if (values.name === undefined) throw wrongUsage('--name is missing: write whom you invite');
    const answer = await (await asOperator(values)).invite(values.name, values['expires-in']);
    print(answer.invitation, answer);
    return 0;
  },
});

export const forget = command({
  name: 'forget',
  summary: 'deletes the data of a VASP of a hosted sandbox for good',
  details:
    'Persons, accounts, endpoints, keys and exchanges are deleted in all files. Amounts stay, so every balance stays. The id stays taken.',
  options: { ...OPERATOR, ...VASP },
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp forget --vasp 15952089931162060684'],
  async run({ values, print }) {
    const vaspId = required(values.vasp);
    const answer = await (await asOperator(values)).forgetTenant(vaspId);
    print(`VASP ${vaspId} is forgotten`, { ...answer, vaspId });
    return 0;
  },
});

export const exportVasp = command({
  name: 'export',
  summary: 'prints everything that a hosted sandbox has about a VASP',
  details:
    'JSON on standard output, with the persons of its verifications. Keys are not in it; tokens and secrets are encrypted with DATA_KEY. Another cell takes it over by `robot-vasp import`, if the VASP is suspended.',
  options: { ...OPERATOR, ...VASP },
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp export --vasp 15952089931162060684 > vasp.json'],
  async run({ values, print }) {
    const answer = await (await asOperator(values)).exportTenant(required(values.vasp));
    print(JSON.stringify(answer, null, 2), answer);
    return 0;
  },
});

export const importVasp = command({
  name: 'import',
  summary: 'takes over a VASP of another cell from its export',
  details:
    'The VASP goes on here with its open verifications and its callbacks. Its money and its runs stay in the other cell. The new key is printed once.',
  argument: { name: '<file>', meaning: 'the output of robot-vasp export' },
  options: OPERATOR,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp import vasp.json --cell b'],
  async run({ values, argument, print }) {
    const answer = await (await asOperator(values)).importTenant(
      jsonOf(textOf(argument!), argument!) as Parameters<Client['importTenant']>[0],
    );
    print(answer.apiKey, answer);
    return 0;
  },
});
