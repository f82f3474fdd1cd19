import { useContext } from 'hono/jsx';
import { Sent } from './sent-form.ts';

interface JsonInput {
  name: string;
  label: string;
  rows: number;
  /** Until something was sent. Then it is what was sent. */
  text: string;
}

export const JsonInput = ({ name, label, rows, text }: JsonInput) => {
  const { values, errors } = useContext(Sent);
  const error = errors[name];
  return (
    <>
      <textarea
        class="code"
        name={name}
        aria-label={label}
        rows={rows}
        spellcheck={false}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {values[name] ?? text}
      </textarea>
      {error === undefined ? null : <small class="field-error">{error}</small>}
    </>
  );
};
