import { version as current } from '../kernel/version.ts';
import { command } from './command.ts';

export const version = command({
  name: 'version',
  summary: 'prints the version',
  options: {},
  examples: ['robot-vasp version --json'],
  async run({ print }) {
    print(current, { version: current });
    return 0;
  },
});
