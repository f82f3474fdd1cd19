import type { Child } from 'hono/jsx';
import { InlineCode } from './inline-code.tsx';
import { useRefused } from './sent-form.ts';

interface Field {
  name: string;
  label: string;
  value?: string | undefined;
  /** Choices of a select. A pair is value and text. */
  options?: readonly (string | readonly [string, string])[];
  /** Text of the choice that narrows nothing. It comes first. */
  any?: string;
  /** Number of lines of a textarea. */
  rows?: number;
  type?: 'text' | 'search' | 'number' | 'url' | 'password';
  placeholder?: string;
  required?: boolean;
  /** One sentence below the input. */
  help?: Child;
  maxLength?: number;
  /** Fixed-width font: for JSON, addresses, hashes. */
  code?: boolean;
}

export const Field = (field: Field) => {
  const { values, errors } = useRefused();
  const error = errors[field.name];
  const typed = field.type === 'password' ? undefined : values[field.name];
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the input stands inside, made by a function
    <label class="field">
      <span>{field.label}</span>
      {input({ ...field, value: typed ?? field.value }, error !== undefined)}
      {error === undefined ? null : (
        <small class="field-error">
          <InlineCode text={error} />
        </small>
      )}
      {field.help ? <small>{field.help}</small> : null}
    </label>
  );
};

function input(
  { name, value, options, any, rows, type = 'text', placeholder, required, maxLength, code }: Field,
  isRefused: boolean,
) {
  const invalid = isRefused ? ({ 'aria-invalid': 'true' } as const) : {};
  const common = {
    name,
    placeholder,
    required,
    maxlength: maxLength,
    class: code ? 'code' : undefined,
    ...invalid,
  };
  if (options)
    return (
      <select name={name} required={required} {...invalid}>
        {any === undefined ? null : <option value="">{any}</option>}
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
