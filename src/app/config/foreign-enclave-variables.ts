import * as z from 'zod';
import type { Parts } from '../../contract/parts.ts';
import { TOKEN } from '../../contract/token-header.ts';
import { url } from './settings.ts';

const secret = () => z.string().regex(TOKEN, 'has other characters than printable ASCII').optional();

export const FOREIGN_ENCLAVE_VARIABLES = {
  ENCLAVE_URL: url('http:', 'https:'),
  ENCLAVE_KEY: secret(),
  ENCLAVE_INVITATION: secret(),
  ENCLAVE_TOKEN: secret(),
  ROBOT_URL: url('http:', 'https:'),
};
type Names = keyof typeof FOREIGN_ENCLAVE_VARIABLES;
type Environment = { [N in Names]?: string | undefined };

/** `joins`: the robot registers itself with an enclave of this program. */
export interface Role {
  parts: Parts;
  joins: boolean;
}

export const foreignEnclaveConfig = (env: Environment, { joins }: Role) => ({
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
  { parts, joins }: Role,
): string[] {
  if (parts !== 'robot') return [];
  const problems: string[] = [];
  if (env.MODE === 'hosted')
    problems.push('MODE=hosted is for an enclave: `robot-vasp serve` or `robot-vasp enclave`');
  if ('ENCLAVE_URL' in env && env.ENCLAVE_URL === undefined)
    problems.push('ENCLAVE_URL is missing: the address of the enclave, without /v1. Or set --enclave');
  if ('ENCLAVE_TOKEN' in env && env.ENCLAVE_TOKEN === undefined && !joins)
    problems.push(
      'ENCLAVE_TOKEN is missing: what the enclave sends to the robot in `Authorization`. An enclave of robot-vasp gets one by --join',
    );
  if (joins && env.ROBOT_URL === undefined && /^(0\.0\.0\.0|::)$/.test(env.HOST ?? ''))
    problems.push(
      `ROBOT_URL is missing: HOST=${env.HOST} is no address at which the enclave finds the robot`,
    );
  return problems;
}
