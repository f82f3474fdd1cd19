import { type Child, createContext, useContext } from 'hono/jsx';
import { fill, useTexts } from '../texts/languages.ts';
import { Fold, InlineCode } from './text.tsx';

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
  /** Fields that few need, folded below the button. A refusal of one of them opens it. */
  more?: { id: string; summary: string; fields: Child; names: readonly string[] };
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
  more,
}: ActionForm) => {
  const sent = useOwnSent({ to: to.split('?')[0]!, hidden: values, keeps });
  const { list } = useTexts();
  const buttons: readonly Button[] = typeof label === 'string' ? [{ label }] : label;
  const form = (
    // A live update leaves what was typed.
    <form
      id={id}
      method="post"
      action={to}
      class="action"
      hx-morph-skip={sent !== NOTHING_SENT || id ? true : undefined}
    >
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Typed.Provider value={sent}>{children}</Typed.Provider>
      {buttons.map(({ label: text, ...sends }) => {
        const shown =
          warning === undefined ? text : fill(list.confirm, { label: text.charAt(0).toLowerCase() + text.slice(1) });
        return (
          <button type="submit" class={tone} aria-label={describe?.(shown)} {...sends}>
            {shown}
          </button>
        );
      })}
      {more ? (
        <Fold id={more.id} summary={more.summary} isOpen={more.names.some(name => sent.errors[name] !== undefined)}>
          <Typed.Provider value={sent}>{more.fields}</Typed.Provider>
        </Fold>
      ) : null}
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

interface OwnForm {
  /** Path of the action. */
  to: string;
  /** The hidden values of the form. */
  hidden?: Record<string, string>;
  /** The fields show what was typed after a success, too. */
  keeps?: boolean | undefined;
}

/** What the fields of a form show: the sent values, if it was sent with the same hidden values. */
function useOwnSent({ to, hidden = {}, keeps = false }: OwnForm): SentForm {
  const sent = useContext(Sent);
  const isOwn =
    sent.to === to && Object.entries(hidden).every(([name, value]) => (sent.values[name] ?? value) === value);
  return isOwn && (keeps || !sent.isDone) ? sent : NOTHING_SENT;
}

/** Fields that show what was sent by their own form. */
export const OwnFields = ({ to, children }: { to: string; children?: Child }) => (
  <Typed.Provider value={useOwnSent({ to })}>{children}</Typed.Provider>
);

/** The form that was just sent. */
export interface SentForm {
  /** Path of the action. */
  to: string;
  values: Readonly<Record<string, string>>;
  /** Of a refused form: the message for each field. */
  errors: Readonly<Record<string, string>>;
  isDone: boolean;
}

export const NOTHING_SENT: SentForm = { to: '', values: {}, errors: {}, isDone: true };

/** Of the page. */
export const Sent = createContext(NOTHING_SENT);
/** Of the form around the fields, which show it. */
const Typed = createContext(NOTHING_SENT);

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
  const { values, errors } = useContext(Typed);
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
  const common = { name, placeholder, required, maxlength: maxLength, class: code ? 'code' : undefined, ...invalid };
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

/** A field that should hold a number. Other text is passed on unchanged: the API refuses it. */
export const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);

interface Checkbox {
  name: string;
  label: string;
  /** Until it was sent otherwise. */
  isChecked?: boolean;
}

export const Checkbox = ({ name, label, isChecked = false }: Checkbox) => {
  const sent = useContext(Typed);
  return (
    <label>
      <input
        type="checkbox"
        name={name}
        value="yes"
        checked={sent === NOTHING_SENT ? isChecked : sent.values[name] !== undefined}
      />{' '}
      {label}
    </label>
  );
};
