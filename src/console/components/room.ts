import { createContext, useContext } from 'hono/jsx';

/** Values that one page draws in trees: one takes about 10 µs. And the characters of all that it shows. */
const IN_TREES = 2_000;
const IN_ALL = 200_000;

/** What the page may still show. It becomes less as the page is drawn. */
export const roomOfPage = () => ({ values: IN_TREES, characters: IN_ALL });
type Room = ReturnType<typeof roomOfPage>;
export const Room = createContext(roomOfPage());

/** False: the page has no room for as many. */
export function useRoom(unit: keyof Room, count: number): boolean {
  const room = useContext(Room);
  if (count > room[unit]) return false;
  room[unit] -= count;
  return true;
}
