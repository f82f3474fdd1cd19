import type { Order } from '../client/calls.ts';
import type { Answers, Client } from '../client/client.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import { ActionForm, Checkbox, Field, OwnFields } from './components/form.tsx';
import { Json } from './components/json.tsx';
import { DataTable } from './components/table.tsx';
import { Copyable, Fold, InlineCode, Paragraph } from './components/text.tsx';
import { Badge, durationText } from './components/values.tsx';
import { type Action, done, type Notice, type Page } from './page.ts';
import type { Texts } from './texts/english.ts';
import { fill, useTexts } from './texts/languages.ts';

/** The four endpoints of a VASP: environment variables. */

const ENDPOINT_VARIABLES: Record<VaspOperation, string> = {
  verifyUser: 'VEGA_VERIFICATION_API_PATH',
  verifyAccount: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
  transactionStatus: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
  callback: 'VEGA_VERIFICATION_CALLBACK_API_PATH',
};
export const ENDPOINTS = Object.keys(ENDPOINT_VARIABLES) as VaspOperation[];

type ProviderKey = Answers['registerVasp']['providerKeys'][number];

const PROVIDER_KEY_VARIABLES: Record<ProviderKey, string> = {
  sanctionApiKey: 'PROVIDER_A_SANCTION_API_KEY',
  kytApiKey: 'PROVIDER_A_KYT_API_KEY',
  wcoApiKey: 'PROVIDER_B_WCO_API_KEY',
  wcoGroupId: 'PROVIDER_B_WCO_GROUP_ID',
};
const PROVIDER_KEYS = Object.keys(PROVIDER_KEY_VARIABLES) as ProviderKey[];

const save: Action = async ({ api, texts: { settings: texts } }, form) => {
  const { vaspId } = (await api.info()).vasp;
  await api.changeVasp(vaspId, changeOf(form));
  if (form.then !== 'check') return done(texts.saved);
  const { kind, text, detail } = await checked(api, vaspId, texts);
  return { kind, text: fill(texts.savedAnd, { outcome: text }), detail };
};

const check: Action = async ({ api, texts }) => checked(api, (await api.info()).vasp.vaspId, texts.settings);

async function checked(api: Client, vaspId: string, texts: Texts['settings']): Promise<Notice> {
  const { checks } = await api.checkVasp(vaspId);
  const wrong = checks.filter(({ ok }) => !ok).length;
  return {
    kind: wrong === 0 ? 'done' : 'failed',
    text: wrong === 0 ? texts.allCorrect : fill(texts.haveProblem, { wrong, all: checks.length }),
    detail: <CheckTable checks={checks} />,
  };
}

const reset: Action = async ({ api, texts }) => {
  const { behind } = await api.reset();
  const text = [texts.settings.removed, ...behind.map(each => fill(texts.timers.behind, each))].join(' ');
  return { kind: behind.length === 0 ? 'done' : 'failed', text };
};

export const settings: Page = {
  path: '/settings',
  title: 'My VASP',
  group: 'Set up',
  servedBy: 'enclave',
  isLive: false,
  actions: { save, check, reset },
  async render({ api, texts: { settings: texts } }) {
    const [{ vasp }, { vasps }] = await Promise.all([api.info(), api.registeredVasps()]);
    const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId)!;
    return (
      <>
        <section>
          <h2>{texts.yourVasp}</h2>
          <RegistrationForm vasp={own} />
          <h3>{texts.check}</h3>
          <p>{texts.checkMeaning}</p>
          <ActionForm to="/console/settings/check" label={texts.callNow} />
        </section>
        <section>
          <h2>{texts.environment}</h2>
          <Paragraph of={texts.environmentUse} />
          <div class="curl">
            <Copyable text={environmentOf(own)} label={texts.theVariables} />
          </div>
        </section>
        <section>
          <h2>{texts.startOver}</h2>
          <ActionForm
            to="/console/settings/reset"
            label={texts.removeAll}
            tone="contrast"
            warning={fill(texts.removeWarning, { name: vasp.name })}
          />
        </section>
      </>
    );
  },
};

type Check = Answers['checkVasp']['checks'][number];

const CheckTable = ({ checks }: { checks: readonly Check[] }) => {
  const { settings, settingsFields, time } = useTexts();
  return (
    <DataTable
      caption={settings.answers}
      rows={checks}
      idOf={({ endpoint }) => `check-${endpoint}`}
      isLoud={({ ok }) => !ok}
      columns={[
        { head: settings.endpoint, cell: ({ endpoint }) => settingsFields[endpoint] },
        { head: settings.result, cell: ({ ok }) => <Badge of={ok ? 'OK' : 'FAILED'} /> },
        { head: settings.status, cell: ({ status }) => status ?? '–', numeric: true },
        {
          head: settings.duration,
          cell: ({ url, durationMs }) => (url === null ? '–' : durationText(durationMs, time)),
          numeric: true,
        },
        { head: settings.problem, cell: check => <Finding {...check} /> },
      ]}
    />
  );
};

const Finding = ({ endpoint, url, problem, hint, request, response }: Check) => (
  <div>
    {problem === null ? null : (
      <strong>
        <InlineCode text={problem} />
      </strong>
    )}{' '}
    <InlineCode text={hint ?? ''} />
    {url === null ? null : (
      <Fold id={`check-${endpoint}-bodies`} summary={useTexts().settings.requestAndAnswer}>
        <code>{`POST ${url}`}</code>
        <Json of={request} />
        {response === null ? <p class="muted">{useTexts().settings.noAnswer}</p> : <Json of={response} />}
      </Fold>
    )}
  </div>
);

type Registered = Answers['registerVasp'];

/** The same settings as environment variables, for a container for example. */
function environmentOf({ vaspId, name, endpoints, authorization, providerKeys }: Registered): string {
  const lines = [
    ['VASP_ID', vaspId],
    ['VASP_NAME', name],
    ...ENDPOINTS.map(endpoint => [ENDPOINT_VARIABLES[endpoint], endpoints[endpoint]]),
    ['VEGA_VERIFICATION_AUTHORIZATION_KEY', authorization.header],
    ['VEGA_VERIFICATION_AUTHORIZATION_TOKEN', authorization.hasToken ? '<your token>' : undefined],
    ...providerKeys.map(key => [PROVIDER_KEY_VARIABLES[key], '<your key>']),
  ];
  return lines.flatMap(([variable, value]) => (value === undefined ? [] : [`${variable}=${value}`])).join('\n');
}

/** The registration of the VASP. Secrets are never shown, and an empty field keeps them. */
const RegistrationForm = ({ vasp }: { vasp: Registered }) => {
  const { settings, settingsFields } = useTexts();
  return (
    <form method="post" action="/console/settings/save" class="settings">
      <OwnFields to="/console/settings/save">
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
      </OwnFields>
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
      {isSet ? <Checkbox name={`remove-${name}`} label={settings.remove} /> : null}
    </div>
  );
};

/** An empty field removes the endpoint. An empty secret stays unchanged. */
function changeOf(form: Record<string, string>): Order<'changeVasp'> {
  const text = (name: string) => form[name]?.trim() || null;
  const secret = (name: string) => (form[`remove-${name}`] ? null : (text(name) ?? undefined));
  return {
    name: form.name ?? '',
    endpoints: Object.fromEntries(ENDPOINTS.map(endpoint => [endpoint, text(endpoint)])),
    authorization: { header: text('header'), token: secret('token') },
    providerKeys: Object.fromEntries(PROVIDER_KEYS.map(key => [key, secret(key)])),
  };
}
