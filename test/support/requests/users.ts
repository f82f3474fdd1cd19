import type { Order } from '../../../src/client/calls.ts';
import type { RobotUser } from '../../../src/client/client.ts';
import type { World } from '../world/world.ts';

/** Somebody whom the fixtures do not have. */
export const KIM = {
  kind: 'natural',
  names: { lastName: 'Kim', firstName: 'Minjun' },
  kyc: true,
  behaviour: 'ORDINARY',
} as const satisfies Order<'putUser'>;

export const HARBOUR = {
  kind: 'legal',
  names: { legalName: 'Harbour Freight', representatives: [{ lastName: 'Ito', firstName: 'Aya' }] },
  kyc: true,
  behaviour: 'ORDINARY',
} as const satisfies Order<'putUser'>;

/** The world with one user more than it began with. */
export const withUser = <W extends Pick<World, 'user'>>(world: W, user: RobotUser): W => ({
  ...world,
  user: id => (id === user.id ? user : world.user(id)),
});
