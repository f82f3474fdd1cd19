import { createContext, useContext } from 'hono/jsx';

/** The form that was just sent. */
export interface SentForm {
  /** Path of the action. */
  to: string;
  values: Readonly<Record<string, string>>;
  /** Of a refused form: the message for each field. */
  errors: Readonly<Record<string, string>>;
  isDone: boolean;
}

export const NOTHING_SENT: SentForm = { to: '', values: {}, errors: {}, isDone: true };

/** Of the page, and inside of a form only its own. */
export const Sent = createContext<SentForm>(NOTHING_SENT);

/** The refused form: its fields show what was typed. */
export function useRefused(): SentForm {
  const sent = useContext(Sent);
  return sent.isDone ? NOTHING_SENT : sent;
}
