import type { Order } from '../../client/calls.ts';
import { type Answers, client, Refused } from '../../client/client.ts';
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

type Joined = Answers['register'];

/** Registers the VASP in a hosted sandbox, with an invitation or for a trial. */
export const join = ({ hosted, name, invitation }: Joining, values: Values): Promise<Joined> =>
  connect({ url: hosted, 'api-key': undefined })
    .register({ name, ...endpointsOf(values), ...(invitation === undefined ? {} : { invitation }) })
    .catch((error: Error) => {
      if (!(error instanceof Refused && error.code === 'MISSING-INVITATION')) throw error;
      const advice = 'Ask its operator for one, and send it with --invitation.';
      throw new Failure(4, error.code, `${error.message} ${advice}`);
    });

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
