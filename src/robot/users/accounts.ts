import type { Tx } from '../../db/transaction.ts';
import { FixtureError } from '../../kernel/fixture-file.ts';
import type { UserAccount } from './store.ts';
import * as userRows from './store.ts';
import type { User } from './user.ts';

/** Far above the numbers of the fixtures, so that a longer fixture file rarely needs an assigned account. */
const FIRST = { walletIndex: 1_000, destinationTag: 1_000_000_000 } as const;
/** Per VASP. A removed user counts too, because its account stays watched. */
export const MAX_ADDED_USERS = 1_000;
const NUMBERS = ['walletIndex', 'destinationTag'] as const;

/** This VASP has added `MAX_ADDED_USERS` users. */
export class TooManyUsers extends Error {
  override readonly name = 'TooManyUsers';
}

/** Assigns the next free account to a user that a VASP adds. Undefined: it has one already. Throws `TooManyUsers`. */
export function assignAccount(
  tx: Tx,
  fixtures: readonly User[],
  { vaspId, userId }: Pick<UserAccount, 'vaspId' | 'userId'>,
): UserAccount | undefined {
  if (userRows.hasAccount(tx, vaspId, userId)) return undefined;
  if (userRows.countAccounts(tx, vaspId) >= MAX_ADDED_USERS) throw new TooManyUsers();
  const assigned = userRows.accounts(tx);
  const [walletIndex, destinationTag] = NUMBERS.map(number => nextFree(number, fixtures, assigned));
  const account = { vaspId, userId, walletIndex: walletIndex!, destinationTag: destinationTag! };
  userRows.insertAccount(tx, account);
  return account;
}

function nextFree(
  number: (typeof NUMBERS)[number],
  fixtures: readonly User[],
  assigned: readonly UserAccount[],
): number {
  const used = new Set(fixtures.map(user => user[number]));
  let next = assigned.reduce((highest, account) => Math.max(highest, account[number]), FIRST[number] - 1) + 1;
  while (used.has(next)) next++;
  return next;
}

/** A fixture file may change between two starts. Throws `FixtureError` where it uses an assigned account. */
export function refuseAssignedAccounts(fixtures: readonly User[], assigned: readonly UserAccount[]): void {
  const clashes = fixtures.flatMap(user =>
    NUMBERS.filter(number =>
      assigned.some(account => account[number] === user[number] && account.userId !== user.id),
    ).map(number => `  - ${user.id}: ${number} ${user[number]}`),
  );
  if (clashes.length === 0) return;
  throw new FixtureError(
    `users.json uses numbers of users that were added through the API. Choose other numbers:\n${clashes.join('\n')}`,
  );
}
