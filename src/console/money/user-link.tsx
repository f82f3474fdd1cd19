import { useTexts } from '../texts/languages.ts';

/** The id of a user of the robot with a link to its row. */
export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? (
    <span class="muted">{useTexts().money.noUser}</span>
  ) : (
    <a href={`/console/users#user-${id}`}>{id}</a>
  );
