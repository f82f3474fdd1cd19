import { loadConfig } from '../app/config/config.ts';
import * as storage from '../app/storage.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';
import { ENV_FILE_OPTION, withEnvFile } from './env-file.ts';

/** What is written beside the database is for its owner only. */
function databasePath(values: { 'env-file'?: string }): string {
  process.umask(0o077);
  const { DATABASE_PATH } = withEnvFile(process.env, values['env-file']).env;
  return loadConfig({ DATABASE_PATH }).databasePath;
}

export const commands = {
  backup: command({
    summary: 'copies the database and the embedded chains into one file, also while the sandbox runs',
    details: 'DATABASE_PATH names the database. The file holds secrets: keep it as safe as the database.',
    args: [{ name: '<file>', meaning: 'the new file' }],
    options: ENV_FILE_OPTION,
    exits: { 1: 'the copy could not be made, see the message' },
    examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp backup /backups/monday.robot'],
    async run({ args: [to = ''], values, print }) {
      const { file, bytes, companions } = await storage.backup(databasePath(values), to);
      const text = `${file}: ${bytes} bytes, verified; with ${companions.join(', ') || 'nothing else'}`;
      print(text, { file, bytes, companions });
      return 0;
    },
  }),

  restore: command({
    summary: 'puts a backup at the place of DATABASE_PATH',
    details:
      'No sandbox may run there. Files that are there get another name. At the next start the robot compares its accounts with the chains before it pays: see the guide, chapter Backup and restore.',
    args: [{ name: '<file>', meaning: 'a file of robot-vasp backup' }],
    options: ENV_FILE_OPTION,
    exits: { 1: 'nothing was restored, see the message' },
    examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp restore /backups/monday.robot'],
    async run({ args: [from = ''], values, print }) {
      const restored = await storage.restore(databasePath(values), from, systemClock.now());
      print(
        [`restored: ${restored.database}`, ...restored.movedAway.map(name => `  kept: ${name}`)].join('\n'),
        restored,
      );
      return 0;
    },
  }),

  compact: command({
    summary: 'writes the database anew, without the traces of what was deleted',
    details:
      'DATABASE_PATH names the database. No sandbox may run there. It takes as much room on the disk again, until it ends.',
    options: ENV_FILE_OPTION,
    exits: { 1: 'the database stays as it was, see the message' },
    examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp compact'],
    async run({ values, print }) {
      const done = storage.compact(databasePath(values));
      print(`${done.file}: ${done.bytes} bytes, before ${done.before}`, done);
      return 0;
    },
  }),
};
