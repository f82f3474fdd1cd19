import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { CONTROLS } from '../../contract/chain-controls.ts';
import { ActionForm, Field, useRefused } from '../components/form.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

/** The controls of the embedded chains as forms, made of their schemas. */

type Schema = { safeParse(value: unknown): { success: boolean } };
type FieldName = keyof Texts['controlFields'];
interface ControlForm {
  control: string;
  text: keyof Texts['controls'];
  fields: readonly { name: FieldName; kind: 'whole' | 'yes' | 'text' }[];
  /** It is switched on and off by two buttons. */
  isSwitch: boolean;
  /** It cannot be undone. */
  isFinal: boolean;
}

const FINAL = ['start-over', 'forget-history'];
/** The same chain control of the other chain means something else. */
const OF_BOTH = ['hold', 'drop'];

const kindOf = (schema: Schema) =>
  schema.safeParse(true).success ? 'yes' : schema.safeParse(1).success ? 'whole' : 'text';

const formsOf = (symbol: AssetSymbol): ControlForm[] =>
  Object.entries(CONTROLS[symbol]).map(([control, { shape }]) => {
    const members = Object.entries(shape as Record<string, Schema>);
    return {
      control,
      text: (OF_BOTH.includes(control) ? `${control}-${symbol}` : control) as ControlForm['text'],
      fields: members
        .filter(([name]) => name !== 'on')
        .map(([name, schema]) => ({ name: name as FieldName, kind: kindOf(schema) })),
      isSwitch: members.some(([name]) => name === 'on'),
      isFinal: FINAL.includes(control),
    };
  });

export const CONTROL_FORMS = Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, formsOf(symbol)])) as Record<
  AssetSymbol,
  ControlForm[]
>;

/** Form values -> body of the API call. Empty fields are left out. */
export function parametersOf({ fields }: ControlForm, form: Record<string, string>): Record<string, unknown> {
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

export const ChainControl = ({ symbol, of }: { symbol: string; of: ControlForm }) => {
  const { control, text, fields, isSwitch, isFinal } = of;
  const { controls, chains } = useTexts();
  const { title, meaning } = controls[text];
  const switches = [
    { label: chains.hold, name: 'on', value: 'true' },
    { label: chains.release, name: 'on', value: 'false' },
  ];
  return (
    <article>
      <h4>{title}</h4>
      <p>{meaning}</p>
      <ActionForm
        id={`control-${symbol}-${control}`}
        to="/console/chains/control"
        values={{ symbol, control }}
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

const Input = ({ name, kind }: ControlForm['fields'][number]) => {
  const label = useTexts().controlFields[name];
  const { values } = useRefused();
  return kind === 'yes' ? (
    <label>
      <input type="checkbox" name={name} value="yes" checked={values[name] !== undefined} /> {label}
    </label>
  ) : (
    <Field name={name} label={label} value={VALUES[name]} type={kind === 'whole' ? 'number' : 'text'} required />
  );
};
