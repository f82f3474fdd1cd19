import type * as z from 'zod';
import { repeatedMember } from './json-members.ts';
import { parseJson } from './parse-json.ts';
import { readText, UnreadableFile } from './text-file.ts';

/** A fixture file is missing or wrong. The message names the file and every problem. It contains no personal data. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** Reads a JSON file. `check` finds problems that a schema cannot express. Throws `FixtureError`. */
export function readFixture<S extends z.ZodType>(
  file: string,
  schema: S,
  check: (content: unknown) => string[] = () => [],
): z.output<S> {
  const content = jsonOf(file);
  // A file is read once: compiled code for its schema would take longer than the parsing.
  const parsed = schema.safeParse(content, { jitless: true });
  const problems = [
    ...(parsed.error?.issues.map(issue => `${issue.path.join('.')} ${issue.message}`.trim()) ?? []),
    ...check(content),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new FixtureError(`${file} is wrong:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
}

/** Throws `FixtureError`. */
export function readFixtureText(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof UnreadableFile ? new FixtureError(error.message) : error;
  }
}

function jsonOf(file: string): unknown {
  const text = readFixtureText(file);
  const value = parseJson(text);
  if (value === undefined) throw new FixtureError(`${file} is not JSON`);
  const path = repeatedMember(text);
  if (path !== undefined) throw new FixtureError(`${file} has \`${path}\` twice`);
  return value;
}
