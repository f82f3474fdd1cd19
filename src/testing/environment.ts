import { VARIABLES, type Variable } from '../app/config.ts';
import type { RobotOptions } from './robot.ts';

const DEFAULTS: Partial<Record<Variable, string>> = {
  PORT: '0',
  DATABASE_PATH: ':memory:',
  LOG_LEVEL: 'error',
  XRPL_CLOSE_INTERVAL: '100ms',
};

/** Options -> variables of the configuration. `vasp` overrides `env`. Throws on unknown variables in `env`. */
export function environmentOf({ vasp = {}, env = {} }: RobotOptions): Record<string, string | undefined> {
  const unknown = Object.keys(env).filter(name => !(VARIABLES as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new TypeError(
      `env: unknown variable ${unknown.join(', ')}. The variables are ${VARIABLES.join(', ')}`,
    );
  const { vaspId, name, endpoints = {}, authorization } = vasp;
  return {
    ...DEFAULTS,
    ...env,
    ...set({
      VASP_ID: vaspId,
      VASP_NAME: name,
      VEGA_VERIFICATION_API_PATH: endpoints.verifyUser,
      VEGA_VERIFICATION_ACCOUNT_API_PATH: endpoints.verifyAccount,
      VEGA_VERIFICATION_TRANSACTION_API_PATH: endpoints.transactionStatus,
      VEGA_VERIFICATION_CALLBACK_API_PATH: endpoints.callback,
      VEGA_VERIFICATION_AUTHORIZATION_TOKEN: authorization?.token,
      VEGA_VERIFICATION_AUTHORIZATION_KEY: authorization?.header,
    }),
  };
}

const set = (variables: Partial<Record<Variable, string | undefined>>) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
