import { EXAMPLE_MODULES } from '../contract/plans.ts';
import { command, EXIT_CODES, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

const demo = command({
  summary: 'plays a test run against the reference VASP, or fills a running sandbox',
  details:
    'Without --url it starts a sandbox in memory and plays a test run against the reference VASP. With --url the reference VASP joins that sandbox and runs one example of everything. With --enclave and --robot it plays a withdrawal and a deposit in ETH and XRP over two processes. With --json the lines of the run go to standard error and the figures to standard output.',
  options: {
    url: { value: '<url>', meaning: 'a running sandbox to fill, in the local mode' },
    enclave: { value: '<url>', meaning: 'a running `robot-vasp enclave`' },
    robot: { value: '<url>', meaning: 'a running `robot-vasp robot` behind that enclave' },
    'api-key': CONNECTION['api-key'],
  },
  exits: {
    0: 'every condition passed',
    1: 'a condition failed',
    ...CONNECTION_EXITS,
    129: EXIT_CODES[129],
    130: EXIT_CODES[130],
    143: EXIT_CODES[143],
  },
  examples: [
    'robot-vasp demo',
    'robot-vasp demo --json',
    'robot-vasp demo --url http://127.0.0.1:8080',
    'robot-vasp demo --enclave http://127.0.0.1:8080 --robot http://127.0.0.1:8081',
  ],
  progress: 'starting both ledgers',
  async run({ values: { url, enclave, robot, 'api-key': apiKey }, ...telling }) {
    const isOfTwo = enclave !== undefined && robot !== undefined && url === undefined;
    if (!isOfTwo && (enclave ?? robot) !== undefined)
      throw wrongUsage('--enclave and --robot go together, without --url');
    const { playDemo, playTwoProcesses, runTests } = await import('./demo/play.ts');
    if (isOfTwo) return playTwoProcesses({ enclave, robot, apiKey }, telling);
    if (url !== undefined) return runTests(connect({ url, 'api-key': apiKey }), telling, EXAMPLE_MODULES);
    process.exit(await playDemo(telling));
  },
});
export const commands = { demo };
