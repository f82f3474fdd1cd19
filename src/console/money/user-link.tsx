/** The id of a user of the robot, leading to where the user stands. */
export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? <span class="muted">nobody</span> : <a href={`/console/users#user-${id}`}>{id}</a>;
