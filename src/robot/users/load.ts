import { join } from 'node:path';
import * as z from 'zod';
import { PersonNames } from '../../contract/persons.ts';
import { readFixture } from '../../kernel/text-file.ts';
import { duplicatesIn, User } from './user.ts';

/** WIRE-8.3, D-11: an originator whose verifications are DENIED / BLACKLISTED. */
export const ListedOriginator = PersonNames.extend({
  dateOfBirth: z.iso.date().optional(),
  placeOfBirth: z.string().min(1).optional(),
});
export type ListedOriginator = z.infer<typeof ListedOriginator>;

/** `users.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadUsers = (fixturesPath: string): User[] =>
  readFixture(join(fixturesPath, 'users.json'), z.array(User), content => {
    if (!Array.isArray(content)) return [];
    return content.length === 0 ? ['holds no user'] : duplicatesIn(content);
  });

/** `listed-originators.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadListedOriginators = (fixturesPath: string): ListedOriginator[] =>
  readFixture(join(fixturesPath, 'listed-originators.json'), z.array(ListedOriginator));
