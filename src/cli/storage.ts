import { loadConfig } from '../app/config/config.ts';
import { restore as putBack, compact as writeAnew, backup as writeBackup } from '../app/storage.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';
import { ENV_FILE_OPTION, withEnvFile } from './env-file.ts';

/** What is written beside the database is for its owner only. */
function databasePath(values: { 'env-file'?: string | undefined }): string {
  process.umask(0o077);
  const { DATABASE_PATH } = withEnvFile(process.env, values['env-file']).env;
  return loadConfig({ DATABASE_PATH }).databasePath;
}

export const backup = command({
  name: 'backup',
  summary: 'copies the database and the embedded chains into one file, also while the sandbox runs',
  details: 'DATABASE_PATH names the database. The file holds secrets: keep it as safe as the database.',
  argument: { name: '<file>', meaning: 'the new file' },
  options: ENV_FILE_OPTION,
  exits: { 1: 'the copy could not be made, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp backup /backups/monday.robot'],
  async run({ argument, values, print }) {
    const { file, bytes, companions } = await writeBackup(databasePath(values), argument!);
    print(`${file}: ${bytes} bytes, verified; with ${companions.join(', ') || 'nothing else'}`, {
      file,
      bytes,
      companions,
    });
    return 0;
  },
});

export const restore = command({
  name: 'restore',
  summary: 'puts a backup at the place of DATABASE_PATH',
  details:
    'No sandbox may run there. Files that are there get another name. At the next start the robot compares its accounts with the chains before it pays: see the guide, chapter Backup and restore.',
  argument: { name: '<file>', meaning: 'a file of robot-vasp backup' },
  options: ENV_FILE_OPTION,
  exits: { 1: 'nothing was restored, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp restore /backups/monday.robot'],
  async run({ argument, values, print }) {
    const restored = await putBack(databasePath(values), argument!, systemClock.now());
    const moved = restored.movedAway.map(name => `\n  kept: ${name}`).join('');
    print(`restored: ${restored.database}${moved}`, restored);
    return 0;
  },
});

export const compact = command({
  name: 'compact',
  summary: 'writes the database anew, without the traces of what was deleted',
  details:
    'DATABASE_PATH names the database. No sandbox may run there. It takes as much room on the disk again, until it ends.',
  options: ENV_FILE_OPTION,
  exits: { 1: 'the database stays as it was, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp compact'],
  async run({ values, print }) {
    const { file, bytes, before } = writeAnew(databasePath(values));
    print(`${file}: ${bytes} bytes, before ${before}`, { file, bytes, before });
    return 0;
  },
});
