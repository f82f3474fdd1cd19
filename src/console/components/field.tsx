import type { Child } from 'hono/jsx';

interface Field {
  name: string;
  label: string;
  value?: string | undefined;
  /** Choices of a select. A pair is value and text. */
  options?: readonly (string | readonly [string, string])[];
  /** Number of lines of a textarea. */
  rows?: number;
  type?: 'text' | 'search' | 'number' | 'url' | 'password';
  placeholder?: string;
  required?: boolean;
  /** One sentence below the input. */
  help?: Child;
  /** Fixed-width font: for JSON, addresses, hashes. */
  code?: boolean;
}

/** A labelled input of a form. */
export const Field = (field: Field) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the input stands inside, made by a function
  <label class="field">
    <span>{field.label}</span>
    {input(field)}
    {field.help ? <small>{field.help}</small> : null}
  </label>
);

function input({ name, value, options, rows, type = 'text', placeholder, required, code }: Field) {
  const common = { name, placeholder, required, class: code ? 'code' : undefined };
  if (options)
    return (
      <select name={name} required={required}>
        {options.map(option => {
          const [key, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option value={key} selected={key === value}>
              {text}
            </option>
          );
        })}
      </select>
    );
  if (rows)
    return (
      <textarea {...common} rows={rows} spellcheck={false}>
        {value}
      </textarea>
    );
  return <input {...common} type={type} value={value} autocomplete="off" spellcheck={false} />;
}
