import { ActionForm, Field, useRefused } from '../components/form.tsx';
import { useTexts } from '../texts/languages.ts';
import type { FieldName, KnobForm } from './knobs.ts';

const VALUES: Partial<Record<FieldName, string>> = {
  blocks: '1',
  depth: '1',
  baseFee: '500000000000',
  closes: '2',
  factor: '10',
};

export const Knob = ({ symbol, of }: { symbol: string; of: KnobForm }) => {
  const { knob, text, fields, isSwitch, isFinal } = of;
  const { knobs, chains } = useTexts();
  const { title, meaning } = knobs[text];
  const switches = [
    { label: chains.hold, name: 'on', value: 'true' },
    { label: chains.release, name: 'on', value: 'false' },
  ];
  return (
    <article>
      <h4>{title}</h4>
      <p>{meaning}</p>
      <ActionForm
        id={`knob-${symbol}-${knob}`}
        to="/console/chains/knob"
        values={{ symbol, knob }}
        label={isSwitch ? switches : title}
        describe={label => `${symbol}: ${label}`}
        tone={isFinal ? 'contrast' : 'secondary'}
        warning={isFinal ? chains.cannotUndo : undefined}
        keeps
      >
        {fields.map(field => (
          <Input {...field} />
        ))}
      </ActionForm>
    </article>
  );
};

const Input = ({ name, kind }: KnobForm['fields'][number]) => {
  const label = useTexts().knobFields[name];
  const { values } = useRefused();
  return kind === 'yes' ? (
    <label>
      <input type="checkbox" name={name} value="yes" checked={values[name] !== undefined} /> {label}
    </label>
  ) : (
    <Field
      name={name}
      label={label}
      value={VALUES[name]}
      type={kind === 'whole' ? 'number' : 'text'}
      required
    />
  );
};
