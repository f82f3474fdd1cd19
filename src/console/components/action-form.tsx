import type { Child } from 'hono/jsx';

interface ActionForm {
  /** `/console{path of the page}/{name of the action}`. */
  to: string;
  label: string;
  /** Hidden values. None may be named `id`: that would hide the id of the form. */
  values?: Record<string, string>;
  tone?: 'primary' | 'secondary' | 'contrast';
  /** Accessible name, where several buttons of the page have the same label. */
  description?: string;
  /** Input fields, in a row before the button. */
  children?: Child;
}

/** A form for one action. Unsaved input survives live updates. */
export const ActionForm = ({
  to,
  label,
  values = {},
  tone = 'secondary',
  description,
  children,
}: ActionForm) => (
  <form method="post" action={to} class="action">
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {children}
    <button type="submit" class={tone} aria-label={description}>
      {label}
    </button>
  </form>
);
