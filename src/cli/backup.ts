import { loadConfig } from '../app/config/config.ts';
import { backup as writeBackup } from '../app/storage/backup.ts';
import { command } from './command.ts';

export const backup = command({
  name: 'backup',
  summary: 'copies the database and the embedded chains into one file, also while the sandbox runs',
  details: 'DATABASE_PATH names the database. The file holds secrets: keep it as safe as the database.',
  argument: { name: '<file>', meaning: 'the new file' },
  options: {},
  exits: { 1: 'the copy could not be made, see the message' },
  examples: ['DATABASE_PATH=/data/robot.sqlite robot-vasp backup /backups/monday.robot'],
  async run({ argument, print }) {
    process.umask(0o077);
    const { databasePath } = loadConfig({ DATABASE_PATH: process.env.DATABASE_PATH });
    const { file, bytes, companions } = await writeBackup(databasePath, argument!);
    print(`${file}: ${bytes} bytes, verified; with ${companions.join(', ') || 'nothing else'}`, {
      file,
      bytes,
      companions,
    });
    return 0;
  },
});
