import { VARIABLES, type Variable } from '../app/config/config.ts';
import { type NamesOf, requireKnown } from './known-names.ts';
import type { RobotOptions } from './robot.ts';

const DEFAULTS: Partial<Record<Variable, string>> = {
  PORT: '0',
  DATABASE_PATH: ':memory:',
  LOG_LEVEL: 'error',
  XRPL_CLOSE_INTERVAL: '100ms',
};

type Vasp = NonNullable<RobotOptions['vasp']>;
const OPTIONS: NamesOf<RobotOptions> = { vasp: true, referenceVasp: true, env: true };
const VASP: NamesOf<Vasp> = { vaspId: true, name: true, endpoints: true, authorization: true };
const ENDPOINTS: NamesOf<NonNullable<Vasp['endpoints']>> = {
  verifyUser: true,
  verifyAccount: true,
  transactionStatus: true,
  callback: true,
};
const AUTHORIZATION: NamesOf<NonNullable<Vasp['authorization']>> = { token: true, header: true };
const ENV = Object.fromEntries(VARIABLES.map(name => [name, true])) as Record<Variable, true>;

/** Options -> variables of the configuration. `vasp` overrides `env`. Throws `TypeError` on an unknown name. */
export function environmentOf(options: RobotOptions): Record<string, string | undefined> {
  const { vasp = {}, env = {} } = options;
  requireKnown('createRobot', options, OPTIONS);
  requireKnown('env', env, ENV);
  requireKnown('vasp', vasp, VASP);
  const { vaspId, name, endpoints = {}, authorization } = vasp;
  requireKnown('vasp.endpoints', endpoints, ENDPOINTS);
  requireKnown('vasp.authorization', authorization ?? {}, AUTHORIZATION);
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
