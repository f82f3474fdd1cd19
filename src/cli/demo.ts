import { command } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const demo = command({
  name: 'demo',
  summary: 'runs the official tests against the reference VASP, or fills a running sandbox',
  details:
    'Without --url it starts a sandbox in memory and runs the official tests against the reference VASP. With --url the reference VASP joins that sandbox and plays an example of everything. With --json the lines of the run go to standard error and the figures to standard output.',
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
    if (values.url !== undefined) {
      const api = connect({ url: values.url, 'api-key': values['api-key'] });
      await api.switchReferenceVasp(true);
      const { verifications } = await api.fill();
      const lines = verifications.map(
        each => `${each.verificationUuid}  ${each.result.padEnd(8)}  ${each.title}`,
      );
      print([...lines, `See them at ${values.url}/console/verifications`].join('\n'), { verifications });
      return 0;
    }
    const { playDemo } = await import('./demo/play.ts');
    process.exit(await playDemo(isJson, print));
  },
});
