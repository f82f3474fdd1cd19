import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { withEnvFile } from '../../src/cli/env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'env-file-'));
function fileOf(text: string): string {
  const path = join(folder, 'named.env');
  writeFileSync(path, text);
  return path;
}

test('each line sets a variable, or is named: none is lost because Node.js takes a blank for a part of its name', () => {
  for (const blank of ['\t', '  ', '\u00a0'])
    for (const line of [`${blank}PORT=1`, `export${blank}PORT=1`, `PORT${blank}=1`, `PORT=${blank}1`]) {
      const read = () => withEnvFile({}, fileOf(`LOG_LEVEL=info\r\n${line}\r\n`)).env.PORT;
      if (parseEnv(line).PORT === undefined) expect(read, JSON.stringify(line)).toThrow('line 2, sets no variable');
      else expect(read(), JSON.stringify(line)).toBe(parseEnv(line).PORT);
    }
});

test('a variable may have any name', () => {
  expect(withEnvFile({}, fileOf('constructor=1')).env.constructor).toBe('1');
});
