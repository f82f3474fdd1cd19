import { createInterface } from 'node:readline/promises';
import { defined } from '../../kernel/json.ts';
import { version } from '../../kernel/program.ts';
import { maskedUrl } from '../../kernel/secrets.ts';
import { wrongUsage } from '../command.ts';
import { isAddress } from '../input.ts';

/** The settings of a connection, in the order in which `init` asks for them. */
export const QUESTIONS = {
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
type Values = Readonly<Record<Setting, string | undefined>>;

/** Variable -> value, of the settings that are not empty. Throws a `Failure` that names every wrong address. */
export function variablesOf(values: Values): Record<string, string> {
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
export const settingsOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  underVariables(setting => env[QUESTIONS[setting].variable]);

const underVariables = (given: (setting: Setting) => string | undefined): Record<string, string> =>
  defined(Object.fromEntries(SETTINGS.map(setting => [QUESTIONS[setting].variable, given(setting) || undefined])));

/** Asks in the terminal for what no option gives. An address is asked again until it is one, or empty. */
export const ask = (values: Values): Promise<Values> =>
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

export const confirm = (text: string): Promise<boolean> =>
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
export const PLACES = ['compose', 'ci', 'kubernetes'] as const;
type Place = (typeof PLACES)[number];

export const yamlFor = (place: Place, variables: Variables): string => ({ compose, ci, kubernetes })[place](variables);

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
${yaml([...seenFrom(variables, HOST), ['ALLOWED_HOSTS', 'robot-vasp']], 6)}${TOKEN in variables ? `\n      ${TOKEN}: \${${TOKEN}}` : ''}
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
