import { Field } from '../components/field.tsx';
import type { KnobField, KnobForm } from './knobs.ts';

interface Knob {
  symbol: string;
  name: string;
  form: KnobForm;
}

/** One thing that can be done to an embedded chain. */
export const Knob = ({ symbol, name, form: { title, meaning, fields, buttons, isFinal } }: Knob) => (
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
        <Input {...field} />
      ))}
      {buttons.map(({ label, adds }) => (
        <button
          type="submit"
          class={isFinal ? 'contrast' : 'secondary'}
          aria-label={`${symbol}: ${label}`}
          {...(adds ? { name: 'on', value: String(adds.on) } : {})}
        >
          {label}
        </button>
      ))}
    </form>
  </article>
);

const Input = ({ name, label, kind, value }: KnobField) =>
  kind === 'yes' ? (
    <label>
      <input type="checkbox" name={name} value="yes" /> {label}
    </label>
  ) : (
    <Field name={name} label={label} value={value} type={kind === 'whole' ? 'number' : 'text'} required />
  );
