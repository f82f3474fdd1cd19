import { type Config, ConfigError, loadConfig } from '../app/config/config.ts';
import { later } from '../kernel/interval.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { ENV_FILE_OPTION, withEnvFile } from './env-file.ts';
import { cannotListen, portOf } from './input.ts';
import { lastNet } from './last-net.ts';
import { whenStopped } from './stop.ts';

/** Both ledgers start in less, unless something is wrong. */
const NOTICE_AFTER_MS = 10_000;

export const serve = command({
  name: 'serve',
  summary: 'starts the sandbox and runs until Ctrl-C',
  details:
    'Environment variables configure it. They may stand in a file `.env`, which `robot-vasp init` writes. The guide lists all of them. An option goes before its variable.',
  options: {
    port: { value: '<port>', meaning: 'port, 0: any free one; default: PORT or 8080' },
    host: { value: '<address>', meaning: 'address to listen on; default: HOST or 127.0.0.1' },
    database: {
      value: '<file>',
      meaning: 'SQLite file, or :memory:; default: DATABASE_PATH or data/robot.sqlite',
    },
    hosted: { meaning: 'serve many VASPs that do not know each other, like MODE=hosted' },
    'with-vasp': { meaning: 'start the reference VASP beside it, in the role of yours' },
    ...ENV_FILE_OPTION,
  },
  exits: {
    0: 'stopped',
    1: 'it could not start, see the message',
    70: 'an unexpected failure ended it, see the log',
  },
  examples: [
    'robot-vasp serve',
    'robot-vasp serve --with-vasp',
    'OPERATOR_KEY_FILE=operator-key DATA_KEY_FILE=data-key PUBLIC_URL=https://sandbox.example robot-vasp serve --hosted',
    'robot-vasp serve --port 0 --database :memory:',
  ],
  progress: 'starting',
  async run({ values, print, isJson, progress }) {
    const { env, file } = withEnvFile(process.env, values['env-file']);
    const config = await configured({ ...env, ...given(values) }).catch(refused);
    if (values['with-vasp'] && config.mode === 'hosted')
      throw wrongUsage('--with-vasp works in the local mode alone: in hosted mode every VASP has a key');
    const { app, url, log, stop } = await started(config).catch(refused);
    lastNet({ log, stop, isJson });
    const pages = { console: `${url}/console`, docs: `${url}/docs`, info: `${url}/sandbox/v1/info` };
    const lines = [
      `robot-vasp listens on ${url}`,
      `  console ${pages.console}`,
      `  API     ${pages.docs}`,
      `  info    ${pages.info}`,
      ...(file ? [`  settings from ${file}`] : []),
    ];
    print(lines.join('\n'), { event: 'listening', url, ...pages, ...(file ? { envFile: file } : {}) });
    progress('starting both ledgers');
    whenStopped(stop);
    const cancelNotice = later(NOTICE_AFTER_MS, () => {
      const missing = app.missing();
      print(`not ready: ${missing.join('; ')}`, { event: 'not-ready', url, missing });
      progress('waiting for the missing parts');
    });
    const isReady = await app.ready();
    cancelNotice();
    if (!isReady) return undefined;
    print(['both chains are ready', ...firstSteps(url)].join('\n'), { event: 'ready', url });
    if (values['with-vasp']) {
      progress('starting the reference VASP');
      const { url: vaspUrl } = await joinedBy(url).catch(async error => {
        await stop();
        throw new Failure(1, error.code ?? 'VASP', error.message);
      });
      print(`the reference VASP plays yours, at ${vaspUrl}`, { event: 'joined', url: vaspUrl });
    }
    return undefined;
  },
});

const firstSteps = (url: string): string[] => [
  'What to do first:',
  `  see a test       ${url}/console/tests, also without a VASP of your own`,
  '  connect yours    robot-vasp init',
  `  get a verdict    robot-vasp check --url ${url}`,
];

async function joinedBy(url: string) {
  const { client } = await import('../client/client.ts');
  return client(url).switchReferenceVasp(true);
}

interface Given {
  port: string | undefined;
  host: string | undefined;
  database: string | undefined;
  hosted: boolean;
}

/** The variables that options have set. */
const given = ({ port, host, database, hosted }: Given): Record<string, string> => ({
  ...(port === undefined ? {} : { PORT: String(portOf(port)) }),
  ...(host === undefined ? {} : { HOST: host }),
  ...(database === undefined ? {} : { DATABASE_PATH: database }),
  ...(hosted ? { MODE: 'hosted' } : {}),
});

const configured = async (env: Record<string, string | undefined>): Promise<Config> => loadConfig(env);

async function started(config: Config) {
  // The files of the sandbox hold the secrets of VASPs.
  process.umask(0o077);
  const { serve: start } = await import('../main.ts');
  return start(config);
}

function refused(error: NodeJS.ErrnoException): never {
  if (error instanceof ConfigError) throw new Failure(1, 'CONFIGURATION', error.message);
  return cannotListen('Set PORT and HOST to a free address.')(error);
}
