import { EXAMPLE_MODULES } from '../contract/plans.ts';
import { command } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const demo = command({
  name: 'demo',
  summary: 'runs the official tests against the reference VASP, or fills a running sandbox',
  details:
    'Without --url it starts a sandbox in memory and runs the official tests against the reference VASP. With --url the reference VASP joins that sandbox and runs one example of everything. With --json the lines of the run go to standard error and the figures to standard output.',
  options: {
    url: { value: '<url>', meaning: 'a running sandbox to fill' },
    'api-key': CONNECTION['api-key'],
  },
  exits: {
    0: 'every condition passed',
    1: 'a condition failed',
    ...CONNECTION_EXITS,
    130: 'Ctrl-C stopped it, after cleaning up',
    143: 'SIGTERM stopped it, after cleaning up',
  },
  examples: ['robot-vasp demo', 'robot-vasp demo --json', 'robot-vasp demo --url http://127.0.0.1:8080'],
  async run({ values, isJson, print }) {
    const { playDemo, runTests } = await import('./demo/play.ts');
    if (values.url !== undefined) {
      const api = connect({ url: values.url, 'api-key': values['api-key'] });
      return runTests(api, { modules: EXAMPLE_MODULES, isJson, print });
    }
    process.exit(await playDemo({ isJson, print }));
  },
});
