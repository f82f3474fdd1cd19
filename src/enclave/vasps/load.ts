import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { text, VaspId } from '../../contract/text.ts';

/** Another member of the alliance. An inactive one provokes ALLIANCE-NOT-ACTIVE. */
const FixtureVasp = z.strictObject({ vaspId: VaspId, name: text(256), isActive: z.boolean() });
export type FixtureVasp = z.infer<typeof FixtureVasp>;

/** Reads `vasps.json` in the folder `fixturesPath`. Throws an error with the file and all problems. */
export function loadVasps(fixturesPath: string): FixtureVasp[] {
  const file = join(fixturesPath, 'vasps.json');
  const parsed = z.array(FixtureVasp).safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(issue => `  - ${issue.path.join('.')} ${issue.message}`);
  throw new Error(`${file} is wrong:\n${problems.join('\n')}`);
}
