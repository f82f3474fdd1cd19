import type { SandboxAnswers } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { ENDPOINT_VARIABLES, ENDPOINTS, PROVIDER_KEY_VARIABLES } from './endpoints.ts';

type Registered = SandboxAnswers['vasp'];

/** The same settings as environment variables, for a container for example. */
export const Environment = ({ vasp }: { vasp: Registered }) => (
  <>
    <p>
      Use them as the file of <code>docker run --env-file</code>. Inside a container <code>127.0.0.1</code> is
      the container itself. Use the service name of your VASP, or <code>host.docker.internal</code>.
    </p>
    <div class="curl">
      <Copyable text={environmentOf(vasp)} label="the variables" />
    </div>
  </>
);

function environmentOf({ vaspId, name, endpoints, authorization, providerKeys }: Registered): string {
  const lines = [
    ['VASP_ID', vaspId],
    ['VASP_NAME', name],
    ...ENDPOINTS.map(endpoint => [ENDPOINT_VARIABLES[endpoint], endpoints[endpoint]]),
    ['VEGA_VERIFICATION_AUTHORIZATION_KEY', authorization.header],
    ['VEGA_VERIFICATION_AUTHORIZATION_TOKEN', authorization.hasToken ? '<your token>' : undefined],
    ...providerKeys.map(key => [PROVIDER_KEY_VARIABLES[key], '<your key>']),
  ];
  return lines
    .flatMap(([variable, value]) => (value === undefined ? [] : [`${variable}=${value}`]))
    .join('\n');
}
