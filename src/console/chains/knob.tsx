import { Field } from '../components/field.tsx';
import { type FormValues, valuesOfForm } from '../components/form-values.ts';
import { useTexts } from '../texts/languages.ts';
import type { KnobField, KnobForm } from './knobs.ts';

interface Knob {
  symbol: string;
  name: string;
  form: KnobForm;
  /** The form that was just sent. */
  sent: FormValues | undefined;
}

/** The form of one control of an embedded chain. */
export const Knob = ({ symbol, name, form: { text, fields, buttons, isFinal }, sent }: Knob) => {
  const { knobs, chains } = useTexts();
  const { title, meaning } = knobs[text];
  return (
    <article>
      <h4>{title}</h4>
      <p>{meaning}</p>
      <form
        id={`knob-${symbol}-${name}`}
        class="action"
        method="post"
        action="/console/chains/knob"
        hx-morph-skip
      >
        <input type="hidden" name="symbol" value={symbol} />
        <input type="hidden" name="knob" value={name} />
        {fields.map(field => (
          <Input {...field} values={valuesOfForm(sent, { symbol, knob: name })} />
        ))}
        {isFinal ? (
          <details class="confirm">
            <summary aria-label={`${symbol}: ${title}`}>{title}…</summary>
            <p>{chains.cannotUndo}</p>
            <Buttons symbol={symbol} of={buttons} isFinal />
          </details>
        ) : (
          <Buttons symbol={symbol} of={buttons} />
        )}
      </form>
    </article>
  );
};

interface Buttons {
  symbol: string;
  of: KnobForm['buttons'];
  isFinal?: boolean;
}

const Buttons = ({ symbol, of, isFinal = false }: Buttons) => {
  const { chains, knobWords } = useTexts();
  return of.map(({ label, adds }) => {
    const text = isFinal ? chains.yes(knobWords[label]) : knobWords[label];
    return (
      <button
        type="submit"
        class={isFinal ? 'contrast' : 'secondary'}
        aria-label={`${symbol}: ${text}`}
        {...(adds ? { name: 'on', value: String(adds.on) } : {})}
      >
        {text}
      </button>
    );
  });
};

const Input = ({ name, label, kind, value, values }: KnobField & { values: FormValues }) =>
  kind === 'yes' ? (
    <label>
      <input type="checkbox" name={name} value="yes" checked={values[name] !== undefined} />{' '}
      {useTexts().knobWords[label]}
    </label>
  ) : (
    <Field
      name={name}
      label={useTexts().knobWords[label]}
      value={values[name] ?? value}
      type={kind === 'whole' ? 'number' : 'text'}
      required
    />
  );
