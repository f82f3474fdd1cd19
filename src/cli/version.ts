import { build, version as current } from '../kernel/program.ts';
import { command } from './command.ts';

export const version = command({
  name: 'version',
  summary: 'prints the version and the build',
  options: {},
  examples: ['robot-vasp version --json'],
  async run({ print }) {
    const own = build();
    print(`${current}+${own}`, { version: current, build: own });
    return 0;
  },
});
