import type { KnobName } from '../../client/answers.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Texts } from '../texts/english.ts';

/** The controls (`knobs` in the API) of the embedded chains as forms. The texts are `knobs` and `knobWords`. */
type Word = keyof Texts['knobWords'];

export interface KnobField {
  name: string;
  label: Word;
  kind: 'whole' | 'text' | 'yes';
  value?: string;
}
export interface KnobForm {
  text: keyof Texts['knobs'];
  fields: readonly KnobField[];
  /** Buttons with the parameters that each adds. */
  buttons: readonly { label: Word; adds?: Record<string, boolean> }[];
  /** It cannot be undone. */
  isFinal?: true;
}

const HOLD = {
  fields: [],
  buttons: [
    { label: 'Hold', adds: { on: true } },
    { label: 'Release', adds: { on: false } },
  ],
} as const;
const START_OVER: KnobForm = {
  text: 'start-over',
  fields: [],
  buttons: [{ label: 'Start over' }],
  isFinal: true,
};

const ETHEREUM: Record<KnobName<'ETH'>, KnobForm> = {
  mine: {
    text: 'mine',
    fields: [{ name: 'blocks', label: 'Blocks', kind: 'whole', value: '1' }],
    buttons: [{ label: 'Mine' }],
  },
  hold: { text: 'hold-ETH', ...HOLD },
  reorg: {
    text: 'reorg',
    fields: [
      { name: 'depth', label: 'Blocks', kind: 'whole', value: '1' },
      { name: 'moved', label: 'Keep their transactions in the new blocks', kind: 'yes' },
    ],
    buttons: [{ label: 'Reorganise' }],
  },
  drop: {
    text: 'drop-ETH',
    fields: [{ name: 'txHash', label: 'Hash', kind: 'text' }],
    buttons: [{ label: 'Drop' }],
  },
  'fee-spike': {
    text: 'fee-spike',
    fields: [{ name: 'baseFee', label: 'Wei per gas', kind: 'text', value: '500000000000' }],
    buttons: [{ label: 'Set fee' }],
  },
  'start-over': START_OVER,
};

const XRPL: Record<KnobName<'XRP'>, KnobForm> = {
  close: { text: 'close', fields: [], buttons: [{ label: 'Close' }] },
  hold: { text: 'hold-XRP', ...HOLD },
  drop: { text: 'drop-XRP', fields: [], buttons: [{ label: 'Drop the next' }] },
  delay: {
    text: 'delay',
    fields: [{ name: 'closes', label: 'Delay in ledgers', kind: 'whole', value: '2' }],
    buttons: [{ label: 'Delay the next' }],
  },
  reorder: { text: 'reorder', fields: [], buttons: [{ label: 'Reorder' }] },
  'load-factor': {
    text: 'load-factor',
    fields: [{ name: 'factor', label: 'Factor', kind: 'whole', value: '10' }],
    buttons: [{ label: 'Set factor' }],
  },
  'forget-history': {
    text: 'forget-history',
    fields: [{ name: 'upTo', label: 'Up to this ledger', kind: 'whole' }],
    buttons: [{ label: 'Delete history' }],
    isFinal: true,
  },
  'start-over': START_OVER,
};

export const KNOB_FORMS: Record<AssetSymbol, Record<string, KnobForm>> = { ETH: ETHEREUM, XRP: XRPL };

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
