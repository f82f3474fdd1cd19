import { command } from './command.ts';

export const demo = command({
  name: 'demo',
  summary: 'runs both tests in ETH and XRP against a stand-in VASP',
  details: 'With --json the steps go to standard error and the figures to standard output.',
  options: {},
  exits: {
    0: 'all steps passed',
    1: 'a step failed',
    130: 'Ctrl-C stopped it, after cleaning up',
    143: 'SIGTERM stopped it, after cleaning up',
  },
  examples: ['robot-vasp demo', 'robot-vasp demo --json'],
  async run({ isJson }) {
    const { demo: play } = await import('../demo/demo.ts');
    process.exit(await play(isJson));
  },
});
