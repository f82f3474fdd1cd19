import { chmod, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { loadConfig } from '../app/config/config.ts';
import { type Answers, client, Refused } from '../client/client.ts';
import { servedAt } from '../kernel/hosts.ts';
import { defined } from '../kernel/json.ts';
import { version } from '../kernel/program.ts';
import { maskedUrl } from '../kernel/secrets.ts';
import { type Call, command, Failure, wrongUsage } from './command.ts';
import { CONNECTION_EXITS, connect } from './connection.ts';
import { bytesUnless, ENV_FILE, ENV_MARK, isOwn, withEnvFile } from './env-file.ts';
import { cannotWrite, isAddress, requireWritable, textFrom } from './input.ts';

/** The settings of a connection, in the order in which `init` asks for them. */
const QUESTIONS = {
  'verify-user': { variable: 'VEGA_VERIFICATION_API_PATH', question: 'Address at which your VASP verifies a user' },
  'verify-account': {
    variable: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
    question: 'Address at which your VASP verifies an account',
  },
  'transaction-status': {
    variable: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
    question: 'Address at which your VASP tells the status of a transaction',
  },
  callback: { variable: 'VEGA_VERIFICATION_CALLBACK_API_PATH', question: 'Address at which your VASP takes callbacks' },
  token: {
    variable: 'VEGA_VERIFICATION_AUTHORIZATION_TOKEN',
    question: 'Token that your VASP expects, empty for none',
  },
} as const;
type Setting = keyof typeof QUESTIONS;
const SETTINGS = Object.keys(QUESTIONS) as Setting[];
type Given = Readonly<Record<Setting, string | undefined>>;

/** Variable -> value, of the settings that are not empty. Throws a `Failure` that names every wrong address. */
function variablesOf(values: Given): Record<string, string> {
  const problems = SETTINGS.filter(
    setting => setting !== 'token' && values[setting] && !isAddress(values[setting]),
  ).map(
    setting =>
      `--${setting}: \`${maskedUrl(values[setting]!)}\` is not an address, or has a user or \`#\`. Write for example http://127.0.0.1:3000/${setting}`,
  );
  if (problems.length > 0) throw wrongUsage(problems.join('\n'));
  return underVariables(setting => values[setting]);
}

/** The settings of an environment, under their variables. */
const settingsOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  underVariables(setting => env[QUESTIONS[setting].variable]);

const underVariables = (given: (setting: Setting) => string | undefined): Record<string, string> =>
  defined(Object.fromEntries(SETTINGS.map(setting => [QUESTIONS[setting].variable, given(setting) || undefined])));

/** Asks in the terminal for what no option gives. An address is asked again until it is one, or empty. */
const ask = (values: Given): Promise<Given> =>
  inTerminal(async question => {
    const answers: Record<Setting, string | undefined> = { ...values };
    for (const setting of SETTINGS) {
      if (values[setting] !== undefined) continue;
      let answer = await question(`${QUESTIONS[setting].question}: `);
      while (setting !== 'token' && answer !== '' && !isAddress(answer))
        answer = await question(`This is not an address such as http://127.0.0.1:3000/${setting}: `);
      answers[setting] = answer;
    }
    return answers;
  });

const confirm = (text: string): Promise<boolean> =>
  inTerminal(async question => /^y/i.test(await question(`${text} (y/n) `)));

async function inTerminal<T>(act: (question: (text: string) => Promise<string>) => Promise<T>): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await act(async text => (await terminal.question(text)).trim());
  } finally {
    terminal.close();
  }
}

/** Configuration for other places, made of the variables of `.env`. The token itself stands in none of them. */

const TOKEN = QUESTIONS.token.variable;
const HOST = 'host.docker.internal';
const SERVICE = 'my-vasp';
type Variables = Readonly<Record<string, string>>;

/** What `init --print` prints. */
const PLACES = ['compose', 'ci', 'kubernetes'] as const;
type Place = (typeof PLACES)[number];

const yamlFor = (place: Place, variables: Variables): string => ({ compose, ci, kubernetes })[place](variables);

/** The variables without the token, with the own machine under the name that it has there. */
const seenFrom = (variables: Variables, machine: string): [string, string][] =>
  Object.entries({ DATABASE_PATH: ':memory:', ...variables })
    .filter(([name]) => name !== TOKEN)
    .map(([name, value]) => [name, value.replace(/^(https?:\/\/)(localhost|127\.0\.0\.1|\[::1\])/, `$1${machine}`)]);

const yaml = (entries: readonly [string, string][], indent: number): string =>
  entries.map(([name, value]) => `${' '.repeat(indent)}${name}: ${JSON.stringify(value)}`).join('\n');

const compose = (variables: Variables): string => `services:
  robot-vasp:
    image: robot-vasp
    environment:
${yaml([...seenFrom(variables, HOST), ['ALLOWED_HOSTS', 'robot-vasp']], 6).replaceAll('$', '$$$$')}${TOKEN in variables ? `\n      ${TOKEN}: \${${TOKEN}}` : ''}
    extra_hosts:
      - ${HOST}:host-gateway
    ports:
      - 127.0.0.1:8080:8080
  tests:
    image: my-tests
    environment:
      ENCLAVE_URL: http://robot-vasp:8080
    depends_on:
      robot-vasp:
        condition: service_healthy
`;

const ci = (variables: Variables): string => `on: push
jobs:
  travel-rule:
    runs-on: ubuntu-latest
    services:
      robot-vasp:
        image: ghcr.io/your-organisation/robot-vasp:${version}
        ports:
          - 8080:8080
        env:
${yaml(seenFrom(variables, HOST), 10)}${TOKEN in variables ? `\n          ${TOKEN}: \${{ secrets.${TOKEN} }}` : ''}
        options: --add-host=${HOST}:host-gateway
    steps:
      - uses: actions/checkout@v6
      - run: curl -sf --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/readyz
      - run: npm test
        env:
          ENCLAVE_URL: http://127.0.0.1:8080
`;

const kubernetes = (variables: Variables): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: robot-vasp }
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: robot-vasp } }
  template:
    metadata: { labels: { app: robot-vasp } }
    spec:
      securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 }
      containers:
        - name: robot-vasp
          image: ghcr.io/your-organisation/robot-vasp:${version}
          ports: [{ containerPort: 8080 }]
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }
          env:
${environment(variables)}
          readinessProbe:
            httpGet: { path: /readyz, port: 8080, httpHeaders: [{ name: Host, value: robot-vasp }] }
          livenessProbe:
            httpGet: { path: /healthcheck, port: 8080, httpHeaders: [{ name: Host, value: robot-vasp }] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
---
apiVersion: v1
kind: Service
metadata: { name: robot-vasp }
spec:
  selector: { app: robot-vasp }
  ports: [{ port: 8080 }]
`;

function environment(variables: Variables): string {
  const own = seenFrom({ ...variables, DATABASE_PATH: '/data/robot.sqlite' }, SERVICE);
  const lines = [...own, ['ALLOWED_HOSTS', 'robot-vasp']].map(
    ([name, value]) => `            - { name: ${name}, value: ${JSON.stringify(value)} }`,
  );
  const token = `            - { name: ${TOKEN}, valueFrom: { secretKeyRef: { name: robot-vasp, key: token } } }`;
  return [...lines, ...(TOKEN in variables ? [token] : [])].join('\n');
}

const OPTIONS = {
  'verify-user': { value: '<url>', meaning: `endpoint for user verifications (${QUESTIONS['verify-user'].variable})` },
  'verify-account': { value: '<url>', meaning: 'endpoint for account verifications' },
  'transaction-status': { value: '<url>', meaning: 'endpoint for the status of a transaction' },
  callback: { value: '<url>', meaning: 'endpoint for callbacks' },
  token: { value: '<token>', meaning: 'token that your VASP expects as Authorization: Bearer' },
  hosted: {
    value: '<url>',
    meaning: 'registers your VASP in this hosted sandbox, and writes its key and its signing secret',
  },
  name: { value: '<name>', meaning: 'name of your VASP, with --hosted', default: 'Trial VASP' },
  invitation: {
    value: '<token>',
    meaning: 'invitation of the operator, with --hosted (without it: a trial, where the sandbox has trials)',
  },
  file: { value: '<file>', meaning: 'file to write, where `.env` belongs to another program', default: ENV_FILE },
  print: {
    value: '<place>',
    choices: PLACES,
    meaning: 'prints the YAML for Docker Compose, GitHub Actions or Kubernetes, with the endpoints of the file',
  },
  yes: { meaning: 'asks nothing, and writes even where an endpoint does not answer' },
} as const;
type Values = Call<typeof OPTIONS>['values'];

const init = command({
  summary: 'connects your VASP: checks its endpoints and writes .env',
  details:
    'In a terminal it asks for what no option gives. It calls each endpoint with harmless samples, writes `.env`, which `serve` reads, and prints what to set in your VASP. With `--print` it prints the same connection for another place, and writes nothing.',
  options: OPTIONS,
  exits: { ...CONNECTION_EXITS, 1: 'an endpoint does not answer rightly, and nothing was written' },
  examples: [
    'robot-vasp init',
    'robot-vasp init --print ci > .github/workflows/travel-rule.yaml',
    'robot-vasp init --hosted https://sandbox.example --name "Bright Exchange" --callback https://vasp.example/callback',
    'robot-vasp init --verify-user http://127.0.0.1:3000/verify-user --verify-account http://127.0.0.1:3000/verify-account --transaction-status http://127.0.0.1:3000/transaction-status --callback http://127.0.0.1:3000/callback --token secret --yes',
  ],
  progress: 'calling the endpoints',
  async run({ values, print, isJson, progress }) {
    if (values.print !== undefined) {
      const text = yamlFor(values.print, connectionIn(values));
      print(text.trimEnd(), { place: values.print, text });
      return 0;
    }
    if (values.hosted !== undefined) return joinHosted(values.hosted.replace(/\/+$/, ''), values, print);
    const isAsking = !values.yes && !isJson && process.stdin.isTTY === true;
    if (isAsking) progress('');
    const variables = variablesOf(isAsking ? await ask(values) : values);
    requireOne(variables);
    const file = values.file;
    const before = await ownText(file);
    const set = { ...withEnvFile(process.env, before === '' ? undefined : file).env, ...variables };
    const config = loadConfig(set);
    progress('calling the endpoints');
    const checks = await checkAddresses(set);
    const wrong = checks.filter(({ url, ok }) => url !== null && !ok);
    if (isAsking) progress('');
    const shown = ['The endpoints:', ...checks.map(lineOf)].join('\n');
    const isWriting = wrong.length === 0 || values.yes || (isAsking && (await confirm(`${shown}\nWrite ${file}?`)));
    if (!isWriting)
      throw new Failure(1, 'NOT-WRITTEN', `${shown}\nNothing was written. Correct the endpoints, or add --yes.`);
    await writeEnv(file, before, variables);
    const vasp = {
      enclave: servedAt(config.host, config.port),
      vaspId: config.vasp.vaspId,
      robotVaspId: config.robot.vaspId,
    };
    const names = Object.keys(variables);
    const lines = [
      shown,
      '',
      `Written to ${file}: ${names.join(', ')}`,
      '',
      'Set in your VASP:',
      `  address of the enclave  ${vasp.enclave}`,
      `  your vaspId             ${vasp.vaspId}`,
      `  vaspId of the robot     ${vasp.robotVaspId}`,
      `  Ethereum                ${vasp.enclave}/devnet/ethereum (chain id 31337)`,
      `  XRP Ledger              ${vasp.enclave.replace(/^http/, 'ws')}/devnet/xrpl (network id 21117)`,
      '',
      `For Docker Compose, GitHub Actions or Kubernetes: robot-vasp init${file === ENV_FILE ? '' : ` --file ${file}`} --print ${PLACES.join('|')}`,
      '',
      `Start it: robot-vasp serve${file === ENV_FILE ? '' : ` --env-file ${file}`}`,
    ];
    print(lines.join('\n'), { file, names, checks, vasp });
    return 0;
  },
});
export const commands = { init };

/** The settings of the file, with those of the options before them. */
function connectionIn(values: Values): Record<string, string> {
  const { env } = withEnvFile(process.env, values.file === ENV_FILE ? undefined : values.file);
  const variables = { ...settingsOf(env), ...variablesOf(values) };
  requireOne(variables);
  return variables;
}

function requireOne(variables: Readonly<Record<string, string>>): void {
  if (Object.keys(variables).length === 0)
    throw wrongUsage('init needs an endpoint. Name at least one, for example with --callback');
}

/** Registers the VASP in a hosted sandbox, with an invitation or for a trial. */
async function joinHosted(url: string, values: Values, print: Call['print']): Promise<0> {
  variablesOf(values);
  const { file, name, invitation, token } = values;
  const before = await ownText(file);
  const endpoints = {
    verifyUser: values['verify-user'],
    verifyAccount: values['verify-account'],
    transactionStatus: values['transaction-status'],
    callback: values.callback,
  };
  const joined = await connect({ url, 'api-key': undefined })
    .register({ name, endpoints, authorization: token ? { token } : undefined, invitation })
    .catch((error: Error) => {
      if (!(error instanceof Refused && error.code === 'MISSING-INVITATION')) throw error;
      const advice = 'Ask its operator for one, and send it with --invitation.';
      throw new Failure(4, error.code, `${error.message} ${advice}`);
    });
  const { vaspId, apiKey, signingSecret, trialEndsAt } = joined;
  const variables = { ROBOT_VASP_URL: url, ROBOT_VASP_API_KEY: apiKey, ROBOT_VASP_SIGNING_SECRET: signingSecret };
  await writeEnv(file, before, variables);
  const { robot } = await client(url, { apiKey }).info();
  const names = Object.keys(variables);
  const lines = [
    `Your VASP ${vaspId} is registered at ${url}.`,
    trialEndsAt
      ? `It is a trial that ends at ${trialEndsAt}, unless the operator or an invitation claims it: ${url}/guide/hosting#trials`
      : 'It stays until the operator removes it.',
    '',
    `Written to ${file}, which every command reads: ${names.join(', ')}`,
    '',
    'Set in your VASP:',
    `  address of the enclave  ${url}, with the header Authorization: Bearer and the key`,
    `  your vaspId             ${vaspId}`,
    `  vaspId of the robot     ${robot.vaspId}`,
    '',
    'Look at it: robot-vasp status',
  ];
  print(lines.join('\n'), { file, names, url, ...joined });
  return 0;
}

/** D-53: what stands in the file, if `init` has written it. */
async function ownText(file: string): Promise<string> {
  await requireWritable(file, file, ELSEWHERE);
  const bytes = bytesUnless(['ENOENT'], file) ?? Buffer.alloc(0);
  if (isOwn(bytes.toString('latin1')) || bytes.toString().trim() === '') return textFrom(bytes, file);
  throw new Failure(
    1,
    'NOT-WRITTEN',
    `${file} belongs to another program: init has not written it. Name another file: robot-vasp init --file robot-vasp.env`,
  );
}

async function writeEnv(file: string, before: string, variables: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(file, envText(before, variables), { mode: 0o600 }).catch(cannotWrite(file, ELSEWHERE));
  await chmod(file, 0o600);
}

const ELSEWHERE = 'Run init in a folder that you may write';

type Check = Answers['checkVasp']['checks'][number];

/** Calls the addresses with harmless samples, from a sandbox in memory. Throws `ConfigError`. */
async function checkAddresses(variables: Readonly<Record<string, string | undefined>>): Promise<readonly Check[]> {
  const config = loadConfig({ LOG_LEVEL: 'silent', ...variables, PORT: '0', DATABASE_PATH: ':memory:' });
  const { serve } = await import('../main.ts');
  const running = await serve(config);
  try {
    const api = client(running.url, { send: request => running.app.fetch(request) });
    const { checks } = await api.checkVasp(config.vasp.vaspId);
    return checks;
  } finally {
    await running.stop();
  }
}

const lineOf = ({ endpoint, url, ok, problem, hint }: Check): string => {
  const name = endpoint.padEnd(17);
  if (url === null) return `  ${name} not set: it is not called`;
  return ok ? `  ${name} answers` : `  ${name} ${problem}${hint ? ` ${hint}` : ''}`;
};

/** The text of a `.env` file with these variables: their lines are replaced or added, all others stay. */
function envText(before: string, variables: Readonly<Record<string, string>>): string {
  const names = Object.keys(variables);
  const others = before
    .split('\n')
    .filter(line => !names.some(name => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)));
  const kept = others.join('\n').trimEnd();
  const lines = names.map(name => `${name}=${quoted(variables[name]!)}`);
  return `${[...(isOwn(kept) ? [] : [ENV_MARK]), ...(kept === '' ? [] : [kept]), ...lines].join('\n')}\n`;
}

/** `#` begins a comment, unless the value is quoted. Only within `"` is `\n` a line break. */
const quoted = (value: string): string => {
  if (!/[#\s'"`\\$]/.test(value)) return value;
  const mark = ["'", '`', '"'].find(each => !value.includes(each));
  return mark ? mark + value + mark : value;
};
