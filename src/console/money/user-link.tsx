/** The id of a user of the robot with a link to its row. */
export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? <span class="muted">no user</span> : <a href={`/console/users#user-${id}`}>{id}</a>;
