import { loadConfig } from '../app/config/config.ts';
import { restore as putBack } from '../app/storage/restore.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';

export const restore = command({
  name: 'restore',
  summary: 'puts a backup at the place of DATABASE_PATH',
  details:
    'No sandbox may run there. Files that are there get another name. At the next start the robot compares its accounts with the chains before it pays: see the guide, chapter Backup and restore.',
  argument: { name: '<file>', meaning: 'a file of robot-vasp backup' },
  options: {},
  exits: { 1: 'nothing was restored, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp restore /backups/monday.robot'],
  async run({ argument, print }) {
    process.umask(0o077);
    const { databasePath } = loadConfig({ DATABASE_PATH: process.env.DATABASE_PATH });
    const restored = await putBack(databasePath, argument!, systemClock.now());
    const moved = restored.movedAway.map(name => `\n  kept: ${name}`).join('');
    print(`restored: ${restored.database}${moved}`, restored);
    return 0;
  },
});
