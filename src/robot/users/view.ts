import type { StoredChange } from './store.ts';
import type { User, UserChange } from './user.ts';

/** The users as one VASP has them. */
export interface UsersOfVasp {
  readonly users: readonly User[];
  /** Verifications and transfers that began before the removal still need them. */
  readonly removed: readonly User[];
}

/** The users of the fixtures in their order, then those that the VASP added. */
export function applyChanges(fixtures: readonly User[], changes: readonly StoredChange[]): UsersOfVasp {
  const changed = new Map(changes.map(change => [change.id, change]));
  const fixtureIds = new Set(fixtures.map(({ id }) => id));
  const all = [
    ...fixtures.map(user => merge(user, changed.get(user.id))),
    ...changes.filter(({ id }) => !fixtureIds.has(id)).map(addedUser),
  ];
  return {
    users: all.filter(({ isRemoved }) => !isRemoved).map(({ user }) => user),
    removed: all.filter(({ isRemoved }) => isRemoved).map(({ user }) => user),
  };
}

const merge = (fixture: User, change: StoredChange | undefined) =>
  change
    ? { user: { ...fixture, ...change.user } as User, isRemoved: change.isRemoved }
    : { user: fixture, isRemoved: false };

const addedUser = ({ id, user, isRemoved, account }: StoredChange) => {
  const { walletIndex, destinationTag } = account!;
  return { user: { id, ...user, walletIndex, destinationTag } as User, isRemoved };
};

/** The fields of a user that a VASP may change. */
export const changeableFields = ({ kind, names, kyc, behaviour }: User): UserChange =>
  ({ kind, names, kyc, behaviour }) as UserChange;
