import { useTexts } from '../texts/languages.ts';

export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? (
    <span class="muted">{useTexts().money.noUser}</span>
  ) : (
    <a href={`/console/users#user-${id}`}>{id}</a>
  );
