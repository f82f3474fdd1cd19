import type { Child } from 'hono/jsx';
import { fill } from '../texts/fill.ts';
import { useTexts } from '../texts/languages.ts';
import { OwnFields, useOwnSent } from './own-fields.tsx';
import { NOTHING_SENT } from './sent-form.ts';

/** A submit button. With a name it sends a value of its own. */
interface Button {
  label: string;
  name?: string;
  value?: string;
}

interface ActionForm {
  /** `/console{path of the page}/{name of the action}`. */
  to: string;
  label: string | readonly Button[];
  /** Unique on the page. Live updates leave a form with an id as it is. */
  id?: string;
  /** Hidden values. None may be named `id`: that would hide the id of the form. */
  values?: Record<string, string>;
  tone?: 'primary' | 'secondary' | 'contrast' | 'quiet';
  /** Makes the accessible name of each button, where several buttons of the page have the same label. */
  describe?: (label: string) => string;
  /** The data that are lost. The button asks once before it acts. */
  warning?: string | undefined;
  /** The fields show what was typed after a success, too. */
  keeps?: boolean;
  /** Input fields, in a row before the button. */
  children?: Child;
}

/** A form for one action. Unsaved input survives live updates, and typed input a refusal. */
export const ActionForm = ({
  to,
  label,
  id,
  values = {},
  tone = 'secondary',
  describe,
  warning,
  keeps,
  children,
}: ActionForm) => {
  const own = { to: to.split('?')[0]!, hidden: values, keeps };
  const isSent = useOwnSent(own) !== NOTHING_SENT;
  const { list } = useTexts();
  const buttons: readonly Button[] = typeof label === 'string' ? [{ label }] : label;
  const form = (
    // A live update leaves what was typed.
    <form id={id} method="post" action={to} class="action" hx-morph-skip={isSent || id ? true : undefined}>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <OwnFields {...own}>{children}</OwnFields>
      {buttons.map(({ label: text, ...sends }) => {
        const shown =
          warning === undefined
            ? text
            : fill(list.confirm, { label: text.charAt(0).toLowerCase() + text.slice(1) });
        return (
          <button type="submit" class={tone} aria-label={describe?.(shown)} {...sends}>
            {shown}
          </button>
        );
      })}
    </form>
  );
  if (warning === undefined) return form;
  const [{ label: first } = { label: '' }] = buttons;
  return (
    <details class="confirm">
      <summary aria-label={describe?.(first)}>{first}…</summary>
      <p>{warning}</p>
      {form}
    </details>
  );
};
