import { createContext } from 'hono/jsx';

/** A form that was refused: what was typed, and the message for each field. */
export interface SentForm {
  /** Path of the action. */
  to: string;
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
}

export const NOTHING_SENT: SentForm = { to: '', values: {}, errors: {} };

/** Of the page, and inside of a form only its own. */
export const Sent = createContext<SentForm>(NOTHING_SENT);
