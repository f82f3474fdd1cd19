import type { Child } from 'hono/jsx';

interface ActionForm {
  /** `/console{path of the page}/{name of the action}`. */
  to: string;
  label: string;
  /** Hidden values; none is named `id`, which would stand for the id of the form itself. */
  values?: Record<string, string>;
  tone?: 'primary' | 'secondary' | 'contrast';
  /** Names the button where several on the page say the same. */
  description?: string;
  /** Input fields, in a row before the button. */
  children?: Child;
}

/** A form that does one thing. Typed input outlives live updates. */
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
