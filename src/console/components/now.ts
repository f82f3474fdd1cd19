import { createContext } from 'hono/jsx';

/** The time of the signed-in VASP, epoch ms, at which the page is rendered. */
export const Now = createContext(0);
