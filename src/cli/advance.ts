import { parseDuration } from '../kernel/duration.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const advance = command({
  name: 'advance',
  summary: 'advances the time of your VASP',
  details: 'First it reads both ledgers, then it runs all due timers. `0s` does only that.',
  argument: { name: '<duration>', meaning: 'for example 10m, 90s or 1h' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp advance 10m', 'robot-vasp advance 0s --json'],
  async run({ argument = '', values, print }) {
    if (parseDuration(argument) === undefined)
      throw wrongUsage(`\`${argument}\` is not a duration. Write for example 10m, 90s or 1h`);
    const answer = await connect(values).advance(argument);
    const fired = answer.fired.map(({ dueAt, kind, key }) => `  ${dueAt}  ${kind}  ${key}`);
    print([`now ${answer.now}`, ...fired].join('\n'), answer);
    return 0;
  },
});
