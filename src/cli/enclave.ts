import { command } from './command.ts';
import { CONFIGURED_BY, SERVER_EXITS, SERVER_OPTIONS, start } from './start.ts';

export const enclave = command({
  name: 'enclave',
  summary: 'starts the enclave without a robot, for registered VASPs',
  details: `A robot of another process joins it: \`robot-vasp robot --join\`. It has \`/v1\` and no ledgers. ${CONFIGURED_BY}`,
  options: {
    ...SERVER_OPTIONS,
    hosted: { meaning: 'serve many VASPs that do not know each other, like MODE=hosted' },
  },
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
          ? [
              `  invite each      robot-vasp invite --url ${url} --name <name>; the robot takes ENCLAVE_INVITATION`,
            ]
          : [`  add a VASP       ${url}/console/keys`]),
      ],
    });
    return undefined;
  },
});
