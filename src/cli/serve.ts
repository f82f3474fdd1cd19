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

export const enclave = command({
  name: 'enclave',
  summary: 'starts the enclave without a robot, for registered VASPs',
  details: `A robot of another process joins it: \`robot-vasp robot --join\`. It has \`/v1\` and no ledgers. ${CONFIGURED_BY}`,
  options: { ...SERVER_OPTIONS, hosted: { meaning: 'serve many VASPs that do not know each other, like MODE=hosted' } },
  exits: SERVER_EXITS,
  examples: ['robot-vasp enclave', 'robot-vasp enclave --host 0.0.0.0 --port 8080'],
  progress: 'starting',
  async run(call) {
    await start(call, {
      ...(call.values.hosted ? { env: { MODE: 'hosted' } } : {}),
      role: { parts: 'enclave', joins: false },
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

export const robot = command({
  name: 'robot',
  summary: 'starts the robot without an enclave, behind the enclave of somebody else',
  details: `It has \`/vega/robot/v1.0\`, the ledgers, and the four addresses of a VASP below \`/vasp\`. ENCLAVE_KEY is its key at the enclave, ENCLAVE_TOKEN is what the enclave sends to it. ${CONFIGURED_BY}`,
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
      ...(enclave === undefined ? {} : { env: { ENCLAVE_URL: enclave } }),
      role: { parts: 'robot', joins: join },
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
