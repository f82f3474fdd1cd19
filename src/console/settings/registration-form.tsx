import type { SandboxAnswers, VaspChange } from '../../client/answers.ts';
import { Field } from '../components/field.tsx';
import { Fold } from '../components/fold.tsx';
import {
  ENDPOINT_HELP,
  ENDPOINT_TITLES,
  ENDPOINTS,
  PROVIDER_KEY_TITLES,
  PROVIDER_KEYS,
} from './endpoints.ts';

type Registered = SandboxAnswers['vasp'];

/** The registration of the VASP. Secrets are never shown, and an empty field keeps them. */
export const RegistrationForm = ({ vasp }: { vasp: Registered }) => (
  <form method="post" action="/console/settings/save" class="settings">
    <div class="pairs">
      <Field name="name" label="Name" value={vasp.name} required />
    </div>
    <div class="pairs">
      {ENDPOINTS.map(endpoint => (
        <Field
          name={endpoint}
          label={ENDPOINT_TITLES[endpoint]}
          value={vasp.endpoints[endpoint]}
          type="url"
          placeholder="http://127.0.0.1:3000/…"
          help={ENDPOINT_HELP[endpoint]}
        />
      ))}
    </div>
    <div class="pairs">
      <Field
        name="header"
        label="Authorization header"
        value={vasp.authorization.header}
        required
        help="The header Authorization carries “Bearer <token>”, any other header carries the token alone."
      />
      <Secret name="token" label="Token" isSet={vasp.authorization.hasToken} />
    </div>
    <Fold id="provider-keys" summary="Keys of the screening providers">
      <p>They replace the keys of the configuration. Enter a wrong key to get 401, 403 or 404.</p>
      <div class="pairs">
        {PROVIDER_KEYS.map(key => (
          <Secret name={key} label={PROVIDER_KEY_TITLES[key]} isSet={vasp.providerKeys.includes(key)} />
        ))}
      </div>
    </Fold>
    <div class="row">
      <button type="submit">Save</button>
      <button type="submit" name="then" value="check" class="secondary">
        Save and call my endpoints now
      </button>
    </div>
  </form>
);

const Secret = ({ name, label, isSet }: { name: string; label: string; isSet: boolean }) => (
  <div>
    <Field
      name={name}
      label={label}
      type="password"
      placeholder={isSet ? 'set (leave empty to keep it)' : 'not set'}
      help={isSet ? 'It is set. It is never shown.' : undefined}
    />
    {isSet ? (
      <label>
        <input type="checkbox" name={`remove-${name}`} value="yes" /> Remove it
      </label>
    ) : null}
  </div>
);

/** An empty address removes the endpoint. An empty secret stays unchanged. */
export function changeOf(form: Record<string, string>): VaspChange {
  const text = (name: string) => form[name]?.trim() || null;
  const secret = (name: string) => (form[`remove-${name}`] ? null : (text(name) ?? undefined));
  return {
    name: form.name ?? '',
    endpoints: Object.fromEntries(ENDPOINTS.map(endpoint => [endpoint, text(endpoint)])),
    authorization: { header: text('header'), token: secret('token') },
    providerKeys: Object.fromEntries(PROVIDER_KEYS.map(key => [key, secret(key)])),
  };
}
