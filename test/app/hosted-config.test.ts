import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { problemsOf } from '../support/app/config-problems.ts';
import { HOSTED } from '../support/app/config-variables.ts';

describe('MODE=hosted', () => {
  test('one message names all that is missing', () => {
    expect(problemsOf({ MODE: 'hosted' }).map(problem => problem.split(' is ')[0])).toEqual([
      'OPERATOR_KEY',
      'PUBLIC_URL',
      'DATA_KEY',
    ]);
  });

  test('and all that is weak', () => {
    const weak = { OPERATOR_KEY: 'short', PUBLIC_URL: 'http://sandbox.example', DATA_KEY: 'w'.repeat(40) };
    const problems = problemsOf({ MODE: 'hosted', ...weak });
    expect(problems.map(problem => problem.split(' ')[0])).toEqual(['OPERATOR_KEY', 'PUBLIC_URL', 'DATA_KEY']);
    for (const value of Object.values(weak)) expect(problems.join()).not.toContain(value);
  });

  test.each([`${'A'.repeat(43)}=`, '0'.repeat(64)])('a data key of one character is weak: %s', key => {
    expect(problemsOf({ MODE: 'hosted', ...HOSTED, DATA_KEY: key })).toEqual([
      expect.stringMatching(/^DATA_KEY is weak/),
    ]);
  });

  test.each(['o'.repeat(32), 'ab'.repeat(16), 'password'.repeat(4), '12341234123412341234123412341234'])(
    'a key of the operator that can be guessed is refused: %s',
    key => {
      const [problem, ...others] = problemsOf({ MODE: 'hosted', ...HOSTED, OPERATOR_KEY: key });
      expect([problem, others]).toEqual(['OPERATOR_KEY can be guessed: take 32 random bytes, in base64', []]);
    },
  );

  test.each([
    randomBytes(32).toString('base64'),
    randomBytes(16).toString('hex'),
    randomBytes(24).toString('base64url'),
  ])('a random key of the operator is taken: %s', key =>
    expect(problemsOf({ MODE: 'hosted', ...HOSTED, OPERATOR_KEY: key })).toEqual([]),
  );

  test('the key of the operator is kept as a hash, and retention begins', () => {
    const config = loadConfig({ MODE: 'hosted', ...HOSTED });
    expect(config.operatorKeyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(config)).not.toContain(HOSTED.OPERATOR_KEY);
    expect(config.retentionMs).toBe(30 * 86_400_000);
    expect(loadConfig({ MODE: 'hosted', ...HOSTED, RETENTION: '0s' }).retentionMs).toBe(0);
  });

  test('each may stand in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    try {
      const files = Object.entries(HOSTED).map(([name, value]) => {
        writeFileSync(join(folder, name), `${value}\n`);
        return [`${name}_FILE`, join(folder, name)];
      });
      const env = { MODE: 'hosted', ...Object.fromEntries(files) };
      expect(loadConfig(env)).toEqual(loadConfig({ MODE: 'hosted', ...HOSTED }));
      expect(problemsOf({ ...env, DATA_KEY: HOSTED.DATA_KEY })).toEqual(['DATA_KEY and DATA_KEY_FILE are both set']);
      // A file that cannot be read is the only problem: its variable is not missing, too.
      for (const name of Object.keys(HOSTED)) {
        const file = `${name}_FILE`;
        expect(problemsOf({ ...env, [file]: join(folder, 'nothing') })).toEqual([`${file} cannot be read (ENOENT)`]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a word that development tools set means the local mode', () => {
    for (const word of ['test', 'development', 'production'])
      expect(loadConfig({ MODE: word })).toEqual(loadConfig({}));
  });
});
