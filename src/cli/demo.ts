import { command } from './command.ts';

export const demo = command({
  name: 'demo',
  summary: 'plays both tests in ETH and XRP against a stand-in VASP, and tells the story',
  details: 'With --json the story goes to standard error, and its figures to standard output.',
  options: {},
  exits: {
    0: 'every step was as expected',
    1: 'a step was not',
    130: 'Ctrl-C ended it; it has cleaned up after itself',
    143: 'SIGTERM ended it; likewise',
  },
  examples: ['robot-vasp demo', 'robot-vasp demo --json'],
  async run({ isJson }) {
    const { demo: play } = await import('../demo/demo.ts');
    process.exit(await play(isJson));
  },
});
