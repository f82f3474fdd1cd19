import { type Child, useContext } from 'hono/jsx';
import { NOTHING_SENT, Sent, type SentForm } from './sent-form.ts';

interface OwnForm {
  /** Path of the action. */
  to: string;
  /** The hidden values of the form. */
  hidden?: Record<string, string>;
  /** The fields show what was typed after a success, too. */
  keeps?: boolean | undefined;
}

/** What the fields of a form show: the sent values, if it was sent with the same hidden values. */
export function useOwnSent({ to, hidden = {}, keeps = false }: OwnForm): SentForm {
  const sent = useContext(Sent);
  const isOwn =
    sent.to === to && Object.entries(hidden).every(([name, value]) => (sent.values[name] ?? value) === value);
  return isOwn && (keeps || !sent.isDone) ? { ...sent, isDone: false } : NOTHING_SENT;
}

/** Fields that show what was sent by their own form, not by another one of the page. */
export const OwnFields = ({ children, ...form }: OwnForm & { children?: Child }) => (
  <Sent.Provider value={useOwnSent(form)}>{children}</Sent.Provider>
);
