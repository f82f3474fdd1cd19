import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { duplicatesIn, PersonNames, User } from './user.ts';

/** A fixture file is missing or wrong. The message names the file and every problem, and no person's data. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** WIRE-8.3: an originator that is refused as BLACKLISTED. D-11 */
export const ListedOriginator = PersonNames.extend({
  dateOfBirth: z.iso.date().optional(),
  placeOfBirth: z.string().min(1).optional(),
});
export type ListedOriginator = z.infer<typeof ListedOriginator>;

/** `users.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadUsers = (fixturesPath: string): User[] =>
  load(join(fixturesPath, 'users.json'), User, rows =>
    rows.length === 0 ? ['holds no user'] : duplicatesIn(rows),
  );

/** `listed-originators.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadListedOriginators = (fixturesPath: string): ListedOriginator[] =>
  load(join(fixturesPath, 'listed-originators.json'), ListedOriginator);

function load<T>(
  file: string,
  row: z.ZodType<T>,
  more: (rows: readonly unknown[]) => string[] = () => [],
): T[] {
  const content = readJson(file);
  const parsed = z.array(row).safeParse(content);
  const problems = [
    ...(parsed.error?.issues.map(issue => `${issue.path.join('.')} ${issue.message}`.trim()) ?? []),
    ...(Array.isArray(content) ? more(content) : []),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new FixtureError(`${file} is wrong:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FixtureError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new FixtureError(`${file} is not JSON`);
  }
}
