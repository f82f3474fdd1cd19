import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { KNOBS } from '../../contract/knobs.ts';
import { ActionForm, Field, useRefused } from '../components/form.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

/** The controls (`knobs` in the API) of the embedded chains as forms, made of their schemas. */

type Schema = { safeParse(value: unknown): { success: boolean } };
type FieldName = keyof Texts['knobFields'];
interface KnobForm {
  knob: string;
  text: keyof Texts['knobs'];
  fields: readonly { name: FieldName; kind: 'whole' | 'yes' | 'text' }[];
  /** It is switched on and off by two buttons. */
  isSwitch: boolean;
  /** It cannot be undone. */
  isFinal: boolean;
}

const FINAL = ['start-over', 'forget-history'];
/** The same knob of the other chain means something else. */
const OF_BOTH = ['hold', 'drop'];

const kindOf = (schema: Schema) =>
  schema.safeParse(true).success ? 'yes' : schema.safeParse(1).success ? 'whole' : 'text';

const formsOf = (symbol: AssetSymbol): KnobForm[] =>
  Object.entries(KNOBS[symbol]).map(([knob, { shape }]) => {
    const members = Object.entries(shape as Record<string, Schema>);
    return {
      knob,
      text: (OF_BOTH.includes(knob) ? `${knob}-${symbol}` : knob) as KnobForm['text'],
      fields: members
        .filter(([name]) => name !== 'on')
        .map(([name, schema]) => ({ name: name as FieldName, kind: kindOf(schema) })),
      isSwitch: members.some(([name]) => name === 'on'),
      isFinal: FINAL.includes(knob),
    };
  });

export const KNOB_FORMS = Object.fromEntries(
  ASSET_SYMBOLS.map(symbol => [symbol, formsOf(symbol)]),
) as Record<AssetSymbol, KnobForm[]>;

/** Form values -> body of the API call. Empty fields are left out. */
export function parametersOf({ fields }: KnobForm, form: Record<string, string>): Record<string, unknown> {
  const parameters: Record<string, unknown> = form.on === undefined ? {} : { on: form.on === 'true' };
  for (const { name, kind } of fields) {
    const text = (form[name] ?? '').trim();
    if (kind === 'yes') parameters[name] = text !== '';
    // Other text is passed on unchanged: the API refuses it.
    else if (text !== '') parameters[name] = kind === 'whole' && /^-?\d+$/.test(text) ? Number(text) : text;
  }
  return parameters;
}

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
