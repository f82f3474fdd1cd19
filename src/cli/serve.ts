import type { Config } from '../app/config/config.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { CONFIGURED_BY, SERVER_EXITS, SERVER_OPTIONS, start } from './start.ts';

const { 'env-file': envFile, ...options } = SERVER_OPTIONS;

export const serve = command({
  name: 'serve',
  summary: 'starts the sandbox and runs until Ctrl-C',
  details: CONFIGURED_BY,
  options: {
    ...options,
    hosted: { meaning: 'serve many VASPs that do not know each other, like MODE=hosted' },
    'with-vasp': { meaning: 'start the reference VASP beside it, in the role of yours' },
    'env-file': envFile,
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
      ...(values.hosted ? { env: { MODE: 'hosted' } } : {}),
      check({ mode }) {
        if (values['with-vasp'] && mode === 'hosted')
          throw wrongUsage('--with-vasp works only in the local mode: in hosted mode every VASP has a key');
      },
      isReady: (url, config) => ['both chains are ready', 'What to do first:', ...firstSteps(url, config)],
    });
    if (!running || !values['with-vasp']) return undefined;
    progress('starting the reference VASP');
    const { url } = await joinedBy(running.url).catch(async error => {
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

async function joinedBy(url: string) {
  const { client } = await import('../client/client.ts');
  return client(url).switchReferenceVasp(true);
}
