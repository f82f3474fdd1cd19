import { command } from './command.ts';
import { CONFIGURED_BY, SERVER_EXITS, SERVER_OPTIONS, start } from './start.ts';

export const robot = command({
  name: 'robot',
  summary: 'starts the robot without an enclave, behind the enclave of somebody else',
  details: `It has \`/vega/robot/v1.0\`, the ledgers, and the four addresses of a VASP below \`/vasp\`. ENCLAVE_KEY is its key at the enclave, ENCLAVE_TOKEN is what the enclave sends to it. ${CONFIGURED_BY}`,
  options: {
    enclave: { value: '<url>', meaning: 'address of the enclave, without /v1; default: ENCLAVE_URL' },
    join: {
      meaning: 'register with the enclave, which is a robot-vasp; a hosted one needs ENCLAVE_INVITATION',
    },
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
