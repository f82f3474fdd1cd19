import { loadConfig } from '../app/config/config.ts';
import { compact as writeAnew } from '../app/storage/compact.ts';
import { command } from './command.ts';

export const compact = command({
  name: 'compact',
  summary: 'writes the database anew, without the traces of what was deleted',
  details:
    'DATABASE_PATH names the database. No sandbox may run there. It takes as much room on the disk again, until it ends.',
  options: {},
  exits: { 1: 'the database stays as it was, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp compact'],
  async run({ print }) {
    process.umask(0o077);
    const { databasePath } = loadConfig({ DATABASE_PATH: process.env.DATABASE_PATH });
    const { file, bytes, before } = writeAnew(databasePath);
    print(`${file}: ${bytes} bytes, before ${before}`, { file, bytes, before });
    return 0;
  },
});
