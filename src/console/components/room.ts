import { createContext, useContext } from 'hono/jsx';

/** Characters of JSON that one page draws as trees, and all that it shows. A tree takes a hundred times as long as its text. */
const AS_TREES = 15_000;
const IN_ALL = 200_000;

/** What the page may still show. It becomes less as the page is drawn. */
export const roomOfPage = () => ({ trees: AS_TREES, texts: IN_ALL });
export const Room = createContext(roomOfPage());

/** How a text of this length is shown. `nothing`: the page has no more room for it. */
export function useRoom(length: number): 'tree' | 'text' | 'nothing' {
  const room = useContext(Room);
  if (length > room.texts) return 'nothing';
  room.texts -= length;
  if (length > room.trees) return 'text';
  room.trees -= length;
  return 'tree';
}
