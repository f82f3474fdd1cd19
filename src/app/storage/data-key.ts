import { writeFileSync } from 'node:fs';
import { newDataKey, type SecretBox, secretBox } from '../../kernel/secret-box.ts';
import { StartProblem } from '../../kernel/start-problem.ts';
import { readText } from '../../kernel/text-file.ts';
import type { Config } from '../config/config.ts';
import { besideDatabase } from './files.ts';

/** The keys of DATA_KEY, or a key of its own in a file beside the database, which is made at the first start. */
export function createSecretBox(config: Config): SecretBox {
  const [first, ...others] = config.dataKeys ?? [];
  if (first !== undefined) return secretBox([first, ...others]);
  const path = besideDatabase(config, '.data-key');
  return secretBox([path === undefined ? newDataKey() : keyInFile(path)]);
}

function keyInFile(path: string): string {
  try {
    writeFileSync(path, newDataKey(), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new StartProblem(`The key file ${path} cannot be written (${code}).`);
  }
  const key = readText(path, `The key file ${path}`).trim();
  if (key.length >= 32) return key;
  throw new StartProblem(`The key file ${path} is damaged: restore it, or set DATA_KEY to the key that it held.`);
}
