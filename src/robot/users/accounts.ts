import type { Tx } from '../../db/transaction.ts';
import { FixtureError } from '../../kernel/fixture-file.ts';
import type { UserAccount, UserStore } from './store.ts';
import type { User } from './user.ts';

/** Far from where fixtures count, so that a longer fixture file hardly ever wants an account that was given away. */
const FIRST = { walletIndex: 1_000, destinationTag: 1_000_000_000 } as const;
/** That one VASP adds. An account is watched for good, so it counts for good. */
export const MAX_ADDED_USERS = 1_000;
const NUMBERS = ['walletIndex', 'destinationTag'] as const;

/** This VASP has had as many users of its own as there may be. */
export class TooManyUsers extends Error {
  override readonly name = 'TooManyUsers';
}

/**
 * The account of a user that a VASP adds: the next free one, or undefined for the one it has had before. Throws
 * `TooManyUsers`.
 */
export function assignAccount(
  store: UserStore,
  tx: Tx,
  fixtures: readonly User[],
  { vaspId, userId }: Pick<UserAccount, 'vaspId' | 'userId'>,
): UserAccount | undefined {
  if (store.hasAccount(vaspId, userId)) return undefined;
  if (store.countAccounts(vaspId) >= MAX_ADDED_USERS) throw new TooManyUsers();
  const given = store.accounts();
  const [walletIndex, destinationTag] = NUMBERS.map(number => nextFree(number, fixtures, given));
  const account = { vaspId, userId, walletIndex: walletIndex!, destinationTag: destinationTag! };
  store.insertAccount(tx, account);
  return account;
}

function nextFree(
  number: (typeof NUMBERS)[number],
  fixtures: readonly User[],
  given: readonly UserAccount[],
): number {
  const taken = new Set(fixtures.map(user => user[number]));
  let next = given.reduce((highest, account) => Math.max(highest, account[number]), FIRST[number] - 1) + 1;
  while (taken.has(next)) next++;
  return next;
}

/** A fixture file may change between two starts. Throws `FixtureError` where it wants what a VASP's user has. */
export function refuseAssignedAccounts(fixtures: readonly User[], given: readonly UserAccount[]): void {
  const clashes = fixtures.flatMap(user =>
    NUMBERS.filter(number =>
      given.some(account => account[number] === user[number] && account.userId !== user.id),
    ).map(number => `  - ${user.id}: ${number} ${user[number]}`),
  );
  if (clashes.length === 0) return;
  throw new FixtureError(
    `users.json uses numbers of users that were added by way of the API; take others:\n${clashes.join('\n')}`,
  );
}
