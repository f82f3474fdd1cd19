import type { KnobName } from '../../client/answers.ts';
import type { AssetSymbol } from '../../contract/assets.ts';

/** The knobs of the embedded chains as forms. What a form sends is text; `parametersOf` makes the body of the call. */

export interface KnobField {
  name: string;
  label: string;
  kind: 'whole' | 'text' | 'yes';
  value?: string;
}
export interface KnobForm {
  title: string;
  meaning: string;
  fields: readonly KnobField[];
  /** One button each, with the parameters that it adds. */
  buttons: readonly { label: string; adds?: Record<string, boolean> }[];
  /** Cannot be undone. */
  isFinal?: true;
}

const hold = (what: string): KnobForm => ({
  title: 'Hold',
  meaning: `Nothing more gets into ${what} until you release it: transfers wait.`,
  fields: [],
  buttons: [
    { label: 'Hold', adds: { on: true } },
    { label: 'Release', adds: { on: false } },
  ],
});

const ETHEREUM: Record<KnobName<'ETH'>, KnobForm> = {
  mine: {
    title: 'Mine',
    meaning: 'Adds blocks.',
    fields: [{ name: 'blocks', label: 'Blocks', kind: 'whole', value: '1' }],
    buttons: [{ label: 'Mine' }],
  },
  hold: hold('blocks'),
  reorg: {
    title: 'Reorganise',
    meaning: 'Replaces the last blocks by others, as when another fork wins.',
    fields: [
      { name: 'depth', label: 'Blocks', kind: 'whole', value: '1' },
      { name: 'moved', label: 'Their transactions stand in the new blocks', kind: 'yes' },
    ],
    buttons: [{ label: 'Reorganise' }],
  },
  drop: {
    title: 'Drop a transaction',
    meaning: 'Forgets a transaction that waits for a block.',
    fields: [{ name: 'txHash', label: 'Hash', kind: 'text' }],
    buttons: [{ label: 'Drop' }],
  },
  'fee-spike': {
    title: 'Fee spike',
    meaning: 'Sets the base fee of the next block. It falls again by an eighth with every empty block.',
    fields: [{ name: 'baseFee', label: 'Wei per gas', kind: 'text', value: '500000000000' }],
    buttons: [{ label: 'Set fee' }],
  },
};

const XRPL: Record<KnobName<'XRP'>, KnobForm> = {
  close: { title: 'Close', meaning: 'Closes a ledger now.', fields: [], buttons: [{ label: 'Close' }] },
  hold: hold('ledgers'),
  drop: {
    title: 'Drop the next submission',
    meaning: 'It is answered as usual and gets lost.',
    fields: [],
    buttons: [{ label: 'Drop the next' }],
  },
  delay: {
    title: 'Delay the next submission',
    meaning: 'It is answered as usual and reaches a ledger late.',
    fields: [{ name: 'closes', label: 'Late by ledgers', kind: 'whole', value: '2' }],
    buttons: [{ label: 'Delay the next' }],
  },
  reorder: {
    title: 'Reorder the next close',
    meaning: 'The last account to submit comes first, so results may differ from the provisional ones.',
    fields: [],
    buttons: [{ label: 'Reorder' }],
  },
  'load-factor': {
    title: 'Load factor',
    meaning: 'Least fee = base fee × factor. 1 is as usual.',
    fields: [{ name: 'factor', label: 'Factor', kind: 'whole', value: '10' }],
    buttons: [{ label: 'Set factor' }],
  },
  'forget-history': {
    title: 'Forget history',
    meaning: 'Closed ledgers are gone, as on a server that keeps little history.',
    fields: [{ name: 'upTo', label: 'Up to and including ledger', kind: 'whole' }],
    buttons: [{ label: 'Forget' }],
    isFinal: true,
  },
  'start-over': {
    title: 'Start over',
    meaning: 'A new first ledger, as after the reset of a test network: every account and payment is gone.',
    fields: [],
    buttons: [{ label: 'Start over' }],
    isFinal: true,
  },
};

export const KNOB_FORMS: Record<AssetSymbol, Record<string, KnobForm>> = { ETH: ETHEREUM, XRP: XRPL };

/** The texts of a form as the parameters of its knob; an empty field is left out. */
export function parametersOf({ fields }: KnobForm, form: Record<string, string>): Record<string, unknown> {
  const parameters: Record<string, unknown> = form.on === undefined ? {} : { on: form.on === 'true' };
  for (const { name, kind } of fields) {
    const text = (form[name] ?? '').trim();
    if (kind === 'yes') parameters[name] = text !== '';
    // What is no number goes as it is: the API says what is wrong with it.
    else if (text !== '') parameters[name] = kind === 'whole' && /^-?\d+$/.test(text) ? Number(text) : text;
  }
  return parameters;
}
