import type { Answers } from '../../client/answers.ts';
import type { Order } from '../../client/calls.ts';
import { Field } from '../components/form.tsx';
import { Fold } from '../components/text.tsx';
import { useTexts } from '../texts/languages.ts';
import { ENDPOINTS, PROVIDER_KEYS } from './endpoints.ts';

type Registered = Answers['registerVasp'];

/** The registration of the VASP. Secrets are never shown, and an empty field keeps them. */
export const RegistrationForm = ({ vasp }: { vasp: Registered }) => {
  const { settings, settingsFields } = useTexts();
  return (
    <form method="post" action="/console/settings/save" class="settings">
      <div class="pairs">
        <Field name="name" label={settings.name} value={vasp.name} required />
      </div>
      <div class="pairs">
        {ENDPOINTS.map(endpoint => (
          <Field
            name={endpoint}
            label={settingsFields[endpoint]}
            value={vasp.endpoints[endpoint]}
            type="url"
            placeholder="http://127.0.0.1:3000/…"
            help={settingsFields[`${endpoint}Help`]}
          />
        ))}
      </div>
      <div class="pairs">
        <Field
          name="header"
          label={settings.header}
          value={vasp.authorization.header}
          required
          help={settings.headerHelp}
        />
        <Secret name="token" label={settings.token} isSet={vasp.authorization.hasToken} />
      </div>
      <Fold id="provider-keys" summary={settings.providerKeys}>
        <p>{settings.providerKeysHelp}</p>
        <div class="pairs">
          {PROVIDER_KEYS.map(key => (
            <Secret name={key} label={settingsFields[key]} isSet={vasp.providerKeys.includes(key)} />
          ))}
        </div>
      </Fold>
      <div class="row">
        <button type="submit">{settings.save}</button>
        <button type="submit" name="then" value="check" class="secondary">
          {settings.saveAndCall}
        </button>
      </div>
    </form>
  );
};

const Secret = ({ name, label, isSet }: { name: string; label: string; isSet: boolean }) => {
  const { settings } = useTexts();
  return (
    <div>
      <Field
        name={name}
        label={label}
        type="password"
        placeholder={isSet ? settings.isSet : settings.notSet}
        help={isSet ? settings.neverShown : undefined}
      />
      {isSet ? (
        <label>
          <input type="checkbox" name={`remove-${name}`} value="yes" /> {settings.remove}
        </label>
      ) : null}
    </div>
  );
};

/** An empty address removes the endpoint. An empty secret stays unchanged. */
export function changeOf(form: Record<string, string>): Order<'changeVasp'> {
  const text = (name: string) => form[name]?.trim() || null;
  const secret = (name: string) => (form[`remove-${name}`] ? null : (text(name) ?? undefined));
  return {
    name: form.name ?? '',
    endpoints: Object.fromEntries(ENDPOINTS.map(endpoint => [endpoint, text(endpoint)])),
    authorization: { header: text('header'), token: secret('token') },
    providerKeys: Object.fromEntries(PROVIDER_KEYS.map(key => [key, secret(key)])),
  };
}
