import type { Answers } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { Prose } from '../components/prose.tsx';
import { useTexts } from '../texts/languages.ts';
import { ENDPOINT_VARIABLES, ENDPOINTS, PROVIDER_KEY_VARIABLES } from './endpoints.ts';

type Registered = Answers['registerVasp'];

/** The same settings as environment variables, for a container for example. */
export const Environment = ({ vasp }: { vasp: Registered }) => (
  <>
    <p>
      <Prose of={useTexts().settings.environmentUse} />
    </p>
    <div class="curl">
      <Copyable text={environmentOf(vasp)} label={useTexts().settings.theVariables} />
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
