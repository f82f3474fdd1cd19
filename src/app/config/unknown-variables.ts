import * as z from 'zod';
import type { Roles } from '../../contract/tenancy.ts';
import { TOKEN } from '../../contract/vasps.ts';
import { nearestName } from '../../kernel/text.ts';
import { endpoint } from './settings.ts';

/** Names of the system and of common tools that are near to one of ours. npm sets NODE for every script. */
const COMMON = new Set(
  'NODE HOME HOSTS HOSTNAME HOSTTYPE LOGNAME MAIL PATH PWD ROOT SHELL TERM USER TEST POST SORT FONT BOOT NOTE MODE COST POOL PART TOOL DATABASE_URL DATABASE_HOST DATABASE_PORT LOG_LEVELS NODE_ENV'.split(
    ' ',
  ),
);
const OF_COMMANDS = ['ROBOT_VASP_URL', 'ROBOT_VASP_API_KEY'];

/** One problem for each variable that is almost one of ours: its value would be ignored. */
export const misspelled = (env: Record<string, unknown>, ours: readonly string[]): string[] =>
  Object.keys(env)
    .filter(name => /^[A-Z][A-Z0-9_]+$/.test(name))
    .filter(name => !ours.includes(name) && !OF_COMMANDS.includes(name) && !COMMON.has(name))
    .flatMap(name => {
      const nearest = nearestName(name, ours);
      return nearest === undefined ? [] : [`${name} is not a variable of robot-vasp; ${nearest} is`];
    });

const secret = () => z.string().regex(TOKEN, 'has other characters than printable ASCII').optional();

export const FOREIGN_ENCLAVE_VARIABLES = {
  ENCLAVE_URL: endpoint('Set ENCLAVE_KEY: the robot sends it'),
  ENCLAVE_KEY: secret(),
  ENCLAVE_INVITATION: secret(),
  ENCLAVE_TOKEN: secret(),
  ROBOT_URL: endpoint('The enclave sends ENCLAVE_TOKEN: leave the user out'),
};
type Names = keyof typeof FOREIGN_ENCLAVE_VARIABLES;
type Environment = { [N in Names]?: string | undefined };

/** `joins`: the robot registers itself with an enclave of this program. */
export interface ProcessRole {
  roles: Roles;
  joins: boolean;
}

export const foreignEnclaveConfig = (env: Environment, { joins }: ProcessRole) => ({
  url: env.ENCLAVE_URL?.replace(/\/+$/, ''),
  key: env.ENCLAVE_KEY,
  joins,
  invitation: env.ENCLAVE_INVITATION,
  /** What the enclave sends to the robot in `Authorization`. Undefined: a random one, which joining registers. */
  token: env.ENCLAVE_TOKEN,
  /** Where the enclave reaches the robot. Undefined: where it listens. */
  robotUrl: env.ROBOT_URL?.replace(/\/+$/, ''),
});

export function foreignEnclaveProblems(
  env: Environment & { MODE?: string; HOST?: string },
  { roles, joins }: ProcessRole,
): string[] {
  if (roles !== 'robot') return [];
  const problems: string[] = [];
  if (env.MODE === 'hosted') problems.push('MODE=hosted is for an enclave: `robot-vasp serve` or `robot-vasp enclave`');
  if ('ENCLAVE_URL' in env && env.ENCLAVE_URL === undefined)
    problems.push('ENCLAVE_URL is missing: the address of the enclave, without /v1. Or set --enclave');
  if ('ENCLAVE_TOKEN' in env && env.ENCLAVE_TOKEN === undefined && !joins)
    problems.push(
      'ENCLAVE_TOKEN is missing: what the enclave sends to the robot in `Authorization`. An enclave of robot-vasp gets one by --join',
    );
  if (joins && env.ROBOT_URL === undefined && /^(0\.0\.0\.0|::)$/.test(env.HOST ?? ''))
    problems.push(`ROBOT_URL is missing: HOST=${env.HOST} is no address at which the enclave finds the robot`);
  return problems;
}
