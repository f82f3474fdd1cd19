import type { Order } from '../../client/calls.ts';
import { client } from '../../client/client.ts';
import { Failure } from '../command.ts';
import { connect } from '../connection.ts';
import type { Setting } from './answers.ts';

/** The options of `init --hosted` beside the settings of a connection. */
export interface Joining {
  hosted: string;
  name: string;
  invitation: string | undefined;
}
type Values = Readonly<Record<Setting, string | undefined>>;

export interface Joined {
  vaspId: string;
  apiKey: string;
  signingSecret: string;
  /** Only of a trial. */
  trialEndsAt?: string;
}

/** Registers the VASP in a hosted sandbox, with an invitation or for a trial. Throws `Failure` 3, 4. */
export async function join({ hosted, name, invitation }: Joining, values: Values): Promise<Joined> {
  const order = { name, ...endpointsOf(values), ...(invitation === undefined ? {} : { invitation }) };
  const answer = await connect({ url: hosted, 'api-key': undefined }).call<Joined>(
    'POST',
    '/sandbox/v1/registrations',
    order,
  );
  if (answer.status === 201) return answer.body;
  const { code = `HTTP-${answer.status}`, message = 'The sandbox has refused the registration.' } =
    (answer.body as { code?: string; message?: string } | undefined) ?? {};
  const hint =
    code === 'MISSING-INVITATION' ? ' Ask its operator for one, and send it with --invitation.' : '';
  throw new Failure(4, code, message + hint);
}

function endpointsOf(values: Values): Pick<Order<'registerVasp'>, 'endpoints' | 'authorization'> {
  const { token } = values;
  const endpoints = {
    verifyUser: values['verify-user'],
    verifyAccount: values['verify-account'],
    transactionStatus: values['transaction-status'],
    callback: values.callback,
  };
  return { endpoints, ...(token ? { authorization: { token } } : {}) };
}

/** The variables that the commands read. */
export const variablesOfJoined = (url: string, { apiKey, signingSecret }: Joined) => ({
  ROBOT_VASP_URL: url,
  ROBOT_VASP_API_KEY: apiKey,
  ROBOT_VASP_SIGNING_SECRET: signingSecret,
});

export async function joinedText(url: string, file: string, { vaspId, apiKey, trialEndsAt }: Joined) {
  const { robot } = await client(url, { apiKey }).info();
  return [
    `Your VASP ${vaspId} is registered at ${url}.`,
    trialEndsAt
      ? `It is a trial that ends at ${trialEndsAt}, unless the operator or an invitation claims it: ${url}/guide/hosting#trials`
      : 'It stays until the operator removes it.',
    '',
    `Written to ${file}, which every command reads: ROBOT_VASP_URL, ROBOT_VASP_API_KEY, ROBOT_VASP_SIGNING_SECRET`,
    '',
    'Set in your VASP:',
    `  address of the enclave  ${url}, with the header Authorization: Bearer and the key`,
    `  your vaspId             ${vaspId}`,
    `  vaspId of the robot     ${robot.vaspId}`,
    '',
    'Look at it: robot-vasp status',
  ].join('\n');
}
