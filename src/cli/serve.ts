import { type Config, loadConfig } from '../app/config/config.ts';
import { hasRole } from '../contract/tenancy.ts';
import { later } from '../kernel/clock.ts';
import { defined } from '../kernel/json.ts';
import type { Log } from '../kernel/log.ts';
import { ConfigError, StartProblem } from '../kernel/program.ts';
import { type Call, command, Failure, wrongUsage } from './command.ts';
import { cannotListen } from './connection.ts';
import { ENV_FILE_OPTION, withEnvFile } from './env-file.ts';
import { portOf } from './input.ts';
import { goOnWithout, shownText, whenStopped } from './output.ts';

/** Starts the program, and says how far it is. */

/** Both ledgers start in less, unless something is wrong. */
const NOTICE_AFTER_MS = 10_000;

const SERVER_OPTIONS = {
  port: { value: '<port>', meaning: 'port, 0: any free one; default: PORT or 8080' },
  host: { value: '<address>', meaning: 'address to listen on; default: HOST or 127.0.0.1' },
  database: { value: '<file>', meaning: 'SQLite file, or :memory:; default: DATABASE_PATH or data/robot.sqlite' },
  ...ENV_FILE_OPTION,
} as const;

const SERVER_EXITS = {
  0: 'stopped',
  1: 'it could not start, see the message',
  70: 'an unexpected failure ended it, see the log',
} as const;

const CONFIGURED_BY =
  'Environment variables configure it. They may stand in a file `.env`, which `robot-vasp init` writes. The guide lists all of them. An option goes before its variable.';

interface Starting {
  /** Variables that options of the command set beside those of every server. */
  env?: Record<string, string | undefined>;
  role?: Parameters<typeof loadConfig>[1];
  /** Throws wrong usage. */
  check?(config: Config): void;
  isReady(url: string, config: Config): string[];
}

/** Resolves when it is ready, with its address; undefined: it stopped before that. Throws `Failure`. */
async function start(
  { values, print, isJson, progress }: Pick<Call<typeof SERVER_OPTIONS>, 'values' | 'print' | 'isJson' | 'progress'>,
  { env: more = {}, role, check, isReady }: Starting,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  goOnWithout('output');
  const { env, file, places } = withEnvFile(process.env, values['env-file']);
  const { port, host, database } = values;
  const given = defined({ PORT: port && String(portOf(port)), HOST: host, DATABASE_PATH: database, ...more });
  const loading = Promise.resolve().then(() => loadConfig({ ...env, ...given }, role, places));
  const config = await loading.catch(refused);
  check?.(config);
  // The files of the sandbox hold the secrets of VASPs.
  process.umask(0o077);
  const { serve } = await import('../main.ts');
  const at = { port: port === undefined ? 'PORT' : '--port', host: host === undefined ? 'HOST' : '--host' };
  const { app, url, log, stop } = await serve(config).catch(refused).catch(cannotListen(at));
  lastNet({ log, stop, isJson });
  const pages = { console: `${url}/console`, docs: `${url}/docs`, info: `${url}/sandbox/v1/info` };
  const lines = [
    `robot-vasp listens on ${url}`,
    `  console ${pages.console}`,
    `  API     ${pages.docs}`,
    `  info    ${pages.info}`,
    ...(file ? [`  settings from ${file}`] : []),
  ];
  print(lines.join('\n'), { event: 'listening', url, ...pages, envFile: file });
  if (hasRole(config.roles, 'robot')) progress('starting both ledgers');
  whenStopped(stop);
  const cancelNotice = later(NOTICE_AFTER_MS, () => {
    const missing = app.missing();
    print(`not ready: ${missing.join('; ')}`, { event: 'not-ready', url, missing });
    progress('waiting for the missing parts');
  });
  const came = await app.ready();
  cancelNotice();
  if (!came) return undefined;
  print(isReady(url, config).join('\n'), { event: 'ready', url });
  return { url, stop };
}

function refused(error: unknown): never {
  throw error instanceof ConfigError ? new Failure(1, 'CONFIGURATION', error.message) : error;
}

/** `EX_SOFTWARE` of sysexits.h */
const EXIT_CODE = 70;
const STOP_WITHIN_MS = 10_000;

/**
 * Catches what no other code has caught. A rejected promise and a failed connection or statement leave the state sound:
 * every change is one transaction. They are logged. After any other exception the program stops in order.
 */
function lastNet({ log, stop, isJson }: { log: Log; stop(): Promise<void>; isJson: boolean }): void {
  const note = (error: unknown, text: string) => {
    try {
      log.error({ err: String(error), stack: (error as Error | undefined)?.stack }, text);
    } catch {
      // The log itself may be what fails, such as a closed pipe.
    }
  };
  process.on('unhandledRejection', reason => note(reason, 'unexpected failure; the program goes on'));
  process.on('uncaughtException', error => {
    if (isHarmless(error)) return note(error, 'unexpected failure; the program goes on');
    note(error, 'unexpected failure; the program stops');
    const message =
      error instanceof StartProblem
        ? error.message
        : `An unexpected failure ends the program (${error}). What it answered is stored. Start it again, and report the log.`;
    const line = isJson ? JSON.stringify({ code: 'UNEXPECTED-FAILURE', message }) : shownText(`robot-vasp: ${message}`);
    process.stderr.write(`${line}\n`);
    const end = () => process.exit(EXIT_CODE);
    AbortSignal.timeout(STOP_WITHIN_MS).addEventListener('abort', end);
    stop().then(end, end);
  });
}

/** Errors of the operating system for one connection or file, and of one statement. */
function isHarmless(error: Error): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code.startsWith('SQLITE_');
}

const HOSTED = { hosted: { meaning: 'serve many VASPs that do not know each other, like MODE=hosted' } } as const;
const modeOf = ({ hosted }: { hosted: boolean }) => ({ MODE: hosted ? 'hosted' : undefined });

const serve = command({
  summary: 'starts the sandbox and runs until Ctrl-C',
  details: CONFIGURED_BY,
  options: {
    ...SERVER_OPTIONS,
    ...HOSTED,
    'with-vasp': { meaning: 'start the reference VASP beside it, in the role of yours' },
  },
  exits: SERVER_EXITS,
  examples: [
    'robot-vasp serve',
    'robot-vasp serve --with-vasp',
    'OPERATOR_KEY_FILE=operator-key DATA_KEY_FILE=data-key PUBLIC_URL=https://sandbox.example robot-vasp serve --hosted',
    'robot-vasp serve --port 0 --database :memory:',
  ],
  progress: 'starting',
  async run(call) {
    const { values, print, progress } = call;
    const running = await start(call, {
      env: modeOf(values),
      check({ mode }) {
        if (values['with-vasp'] && mode === 'hosted')
          throw wrongUsage('--with-vasp works only in the local mode: in hosted mode every VASP has a key');
      },
      isReady: (url, config) => ['both chains are ready', 'What to do first:', ...firstSteps(url, config)],
    });
    if (!running || !values['with-vasp']) return undefined;
    progress('starting the reference VASP');
    const { client } = await import('../client/client.ts');
    const { url } = await client(running.url)
      .switchReferenceVasp(true)
      .catch(async error => {
        await running.stop();
        throw new Failure(1, error.code ?? 'VASP', error.message);
      });
    print(`the reference VASP plays yours, at ${url}`, { event: 'joined', url });
    return undefined;
  },
});

const firstSteps = (url: string, { mode, publicUrl }: Config): string[] =>
  mode === 'hosted'
    ? [
        `  invite a VASP    robot-vasp invite --url ${publicUrl} --name <name>`,
        `  it signs in at   ${publicUrl}/console`,
      ]
    : [
        `  see a test       ${url}/console/tests, also without a VASP of your own`,
        '  connect yours    robot-vasp init',
        `  get a verdict    robot-vasp check --url ${url}`,
      ];

const enclave = command({
  summary: 'starts the enclave without a robot, for registered VASPs',
  details: `A robot of another process joins it: \`robot-vasp robot --join\`. It has \`/v1\` and no ledgers. ${CONFIGURED_BY}`,
  options: { ...SERVER_OPTIONS, ...HOSTED },
  exits: SERVER_EXITS,
  examples: ['robot-vasp enclave', 'robot-vasp enclave --host 0.0.0.0 --port 8080'],
  progress: 'starting',
  async run(call) {
    await start(call, {
      env: modeOf(call.values),
      role: { roles: 'enclave', joins: false },
      isReady: (url, { mode }) => [
        'the enclave is ready',
        'What to do first:',
        `  add a robot      robot-vasp robot --enclave ${url} --join --port 8081`,
        ...(mode === 'hosted'
          ? [`  invite each      robot-vasp invite --url ${url} --name <name>; the robot takes ENCLAVE_INVITATION`]
          : [`  add a VASP       ${url}/console/keys`]),
      ],
    });
    return undefined;
  },
});

const robot = command({
  summary: 'starts the robot without an enclave, behind the enclave of somebody else',
  details: `It has \`/vega/robot/v1.0\`, the ledgers, and the four endpoints of a VASP below \`/vasp\`. ENCLAVE_KEY is its key at the enclave, ENCLAVE_TOKEN is what the enclave sends to it. ${CONFIGURED_BY}`,
  options: {
    enclave: { value: '<url>', meaning: 'address of the enclave, without /v1; default: ENCLAVE_URL' },
    join: { meaning: 'register with the enclave, which is a robot-vasp; a hosted one needs ENCLAVE_INVITATION' },
    ...SERVER_OPTIONS,
  },
  exits: SERVER_EXITS,
  examples: [
    'robot-vasp robot --enclave http://127.0.0.1:8080 --join --port 8081',
    'ENCLAVE_KEY=its-key ENCLAVE_TOKEN=the-token-that-both-know robot-vasp robot --enclave https://enclave.example',
  ],
  progress: 'starting',
  async run(call) {
    const { enclave, join } = call.values;
    await start(call, {
      env: { ENCLAVE_URL: enclave },
      role: { roles: 'robot', joins: join },
      isReady: url => [
        'the robot is ready: the enclave knows it, and both chains are read',
        'What to do first:',
        `  see its users    ${url}/console/users`,
        `  see what it sent ${url}/console/exchanges`,
      ],
    });
    return undefined;
  },
});

export const commands = { serve, enclave, robot };
