import { type Child, useContext } from 'hono/jsx';
import { NOTHING_SENT, Sent, type SentForm } from './sent-form.ts';

interface OwnFields {
  /** Path of the action. */
  to: string;
  /** The hidden values of the form. */
  hidden: Record<string, string>;
  children?: Child;
}

/** The form was sent with the same hidden values. */
export const isOwn = (sent: SentForm, { to, hidden }: Pick<OwnFields, 'to' | 'hidden'>): boolean =>
  sent.to === to && Object.entries(hidden).every(([name, value]) => (sent.values[name] ?? value) === value);

/** Fields that show what was refused in their own form, not in another one of the page. */
export const OwnFields = ({ children, ...form }: OwnFields) => {
  const sent = useContext(Sent);
  return <Sent.Provider value={isOwn(sent, form) ? sent : NOTHING_SENT}>{children}</Sent.Provider>;
};
