import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IViolation } from 'dependency-cruiser';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './support/paths.ts';

/** What `depcruise` has to find: a file, what it imports, and the beginning of the name of the rule. */
const FORBIDDEN: readonly [file: string, imported: string, rule: string][] = [
  ['kernel/a.ts', '../contract/x.ts', 'kernel imports'],
  ['contract/a.ts', '../db/open.ts', 'contract imports'],
  ['enclave/a.ts', '../robot/judge/judge.ts', 'enclave imports'],
  ['enclave/verification/a.ts', '../../chains/port.ts', 'enclave imports'],
  ['robot/a.ts', '../enclave/verification/verify-user.ts', 'robot imports'],
  ['robot/b.ts', '../vasps/http-vasp.ts', 'robot imports'],
  ['robot/c.ts', '../sandbox/info/read.ts', 'robot imports'],
  ['devnet/xrpl/a.ts', '../../contract/assets.ts', 'devnet imports'],
  ['http/a.ts', '../db/open.ts', 'http imports'],
  ['db/a.ts', '../app/config.ts', 'db imports'],
  ['helpers/a.ts', '../kernel/x.ts', 'every file is'],
  ['sandbox/timeline/a.ts', '../../enclave/verification/store.ts', 'sandbox imports'],
  ['sandbox/users/a.ts', '../../robot/users/store.ts', 'sandbox imports'],
  ['sandbox/checks/a.ts', '../../vasps/http-vasp.ts', 'sandbox imports'],
  ['client/a.ts', '../sandbox/timeline/read.ts', 'client imports'],
  ['cli/a.ts', '../sandbox/clock/advance.ts', 'cli imports'],
  ['app/a.ts', '../cli/x.ts', 'app imports'],
  ['robot/d.ts', '../db/schema/enclave.ts', 'the robot reads'],
  ['enclave/b/store.ts', '../../db/schema/robot.ts', 'the enclave reads'],
  ['robot/e.ts', './f.ts', 'no file imports itself'],
  ['robot/actions/a.ts', 'hono', 'hono is'],
  ['robot/g.ts', 'ethers/hash', 'ethers is'],
  ['chains/ethereum.ts', 'xrpl', 'xrpl is'],
  ['chains/xrpl.ts', 'ethers', 'ethers is'],
  ['robot/h.ts', 'undici', 'undici is'],
  ['enclave/c.ts', 'drizzle-orm', 'drizzle-orm is'],
  ['robot/i.ts', 'better-sqlite3', 'better-sqlite3 is'],
];

const ALLOWED: readonly [file: string, imported: string][] = [
  ['sandbox/timeline/b.ts', '../../enclave/control.ts'],
  ['client/b.ts', '../sandbox/clock/schema.ts'],
  ['robot/j.ts', '../enclave/port.ts'],
  ['app/compose.ts', '../robot/vasp.ts'],
  // With `robot/e.ts` it is one circle, which is told once.
  ['robot/f.ts', './e.ts'],
  ['http/b.ts', 'hono'],
  ['chains/xrpl/a.ts', 'xrpl'],
  ['enclave/d/store.ts', 'drizzle-orm'],
  ['robot/k/store.ts', '../../db/schema/robot.ts'],
];

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  const file = join(folder, 'src', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'a' });
}

test('a forbidden import is found, and no other one', { timeout: 60_000 }, async () => {
  const { default: rules } = await import(join(ROOT, '.dependency-cruiser.mjs'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, imported] of [...FORBIDDEN, ...ALLOWED]) {
    write(file, `import type { X } from '${imported}';\n`);
    if (imported.startsWith('.')) write(join(dirname(file), imported), '');
  }
  const { output } = await cruise(['src'], {
    ...rules.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  });
  const found = (output as { summary: { violations: IViolation[] } }).summary.violations;
  const told = found.map(({ from, rule }) => `${from}: ${rule.name}`).sort();
  const expected = FORBIDDEN.map(([file, , rule]) => `src/${file}: ${rule}`).sort();
  expect(told).toEqual(expected.map(each => expect.stringContaining(each)));
});
