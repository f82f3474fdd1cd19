import { type Child, useContext } from 'hono/jsx';
import { useTexts } from '../texts/languages.ts';
import { isOwn, OwnFields } from './own-fields.tsx';
import { Sent } from './sent-form.ts';

interface ActionForm {
  /** `/console{path of the page}/{name of the action}`. */
  to: string;
  label: string;
  /** Hidden values. None may be named `id`: that would hide the id of the form. */
  values?: Record<string, string>;
  tone?: 'primary' | 'secondary' | 'contrast';
  /** Accessible name, where several buttons of the page have the same label. */
  description?: string;
  /** The data that are lost. The button asks once before it acts. */
  warning?: string;
  /** Input fields, in a row before the button. */
  children?: Child;
}

/** A form for one action. Unsaved input survives live updates, and typed input a refusal. */
export const ActionForm = ({
  to,
  label,
  values = {},
  tone = 'secondary',
  description,
  warning,
  children,
}: ActionForm) => {
  const sent = useContext(Sent);
  const { list } = useTexts();
  const own = { to: to.split('?')[0]!, hidden: values };
  const form = (
    // A live update leaves what was typed into a refused form.
    <form method="post" action={to} class="action" hx-morph-skip={isOwn(sent, own) ? true : undefined}>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <OwnFields {...own}>{children}</OwnFields>
      <button type="submit" class={tone} aria-label={warning === undefined ? description : undefined}>
        {warning === undefined ? label : list.confirm(label)}
      </button>
    </form>
  );
  if (warning === undefined) return form;
  return (
    <details class="confirm">
      <summary aria-label={description}>{label}…</summary>
      <p>{warning}</p>
      {form}
    </details>
  );
};
