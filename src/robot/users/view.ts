import type { StoredChange } from './store.ts';
import type { User, UserChange } from './user.ts';

/** The users as one VASP has them. */
export interface UsersOfVasp {
  readonly users: readonly User[];
  /** No longer there, but what was begun with them is finished. */
  readonly removed: readonly User[];
}

/** The users of the fixtures at their places, then those that the VASP has added. */
export function applyChanges(fixtures: readonly User[], changes: readonly StoredChange[]): UsersOfVasp {
  const changed = new Map(changes.map(change => [change.id, change]));
  const known = new Set(fixtures.map(({ id }) => id));
  const all = [
    ...fixtures.map(user => changeOf(user, changed.get(user.id))),
    ...changes.filter(({ id }) => !known.has(id)).map(added),
  ];
  return {
    users: all.filter(({ isRemoved }) => !isRemoved).map(({ user }) => user),
    removed: all.filter(({ isRemoved }) => isRemoved).map(({ user }) => user),
  };
}

const changeOf = (fixture: User, change: StoredChange | undefined) =>
  change
    ? { user: { ...fixture, ...change.user } as User, isRemoved: change.isRemoved }
    : { user: fixture, isRemoved: false };

const added = ({ id, user, isRemoved, account }: StoredChange) => {
  const { walletIndex, destinationTag } = account!;
  return { user: { id, ...user, walletIndex, destinationTag } as User, isRemoved };
};

/** What a VASP may say of a user, of one that there is. */
export const changeableFields = ({ kind, names, kyc, behaviour }: User): UserChange =>
  ({ kind, names, kyc, behaviour }) as UserChange;
