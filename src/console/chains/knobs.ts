import type { KnobName } from '../../client/answers.ts';
import type { AssetSymbol } from '../../contract/assets.ts';

/** The controls (`knobs` in the API) of the embedded chains as forms. */

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
  /** Buttons with the parameters that each adds. */
  buttons: readonly { label: string; adds?: Record<string, boolean> }[];
  /** It cannot be undone. */
  isFinal?: true;
}

const hold = (containers: string): KnobForm => ({
  title: 'Hold',
  meaning: `No transaction gets into ${containers} until you release them.`,
  fields: [],
  buttons: [
    { label: 'Hold', adds: { on: true } },
    { label: 'Release', adds: { on: false } },
  ],
});

const startOver: KnobForm = {
  title: 'Start over',
  meaning:
    'Replaces the chain by a new one, as a test network after a reset. Open verifications end as ERROR, unfinished transfers are CANCELED, balances start at zero.',
  fields: [],
  buttons: [{ label: 'Start over' }],
  isFinal: true,
};

const ETHEREUM: Record<KnobName<'ETH'>, KnobForm> = {
  mine: {
    title: 'Mine',
    meaning: 'Mines new blocks.',
    fields: [{ name: 'blocks', label: 'Blocks', kind: 'whole', value: '1' }],
    buttons: [{ label: 'Mine' }],
  },
  hold: hold('blocks'),
  reorg: {
    title: 'Reorganise',
    meaning: 'Replaces the newest blocks with others, as if another fork had won.',
    fields: [
      { name: 'depth', label: 'Blocks', kind: 'whole', value: '1' },
      { name: 'moved', label: 'Keep their transactions in the new blocks', kind: 'yes' },
    ],
    buttons: [{ label: 'Reorganise' }],
  },
  drop: {
    title: 'Drop a transaction',
    meaning: 'Removes a pending transaction.',
    fields: [{ name: 'txHash', label: 'Hash', kind: 'text' }],
    buttons: [{ label: 'Drop' }],
  },
  'fee-spike': {
    title: 'Fee spike',
    meaning: 'Sets the base fee of the next block. Every empty block lowers it by an eighth.',
    fields: [{ name: 'baseFee', label: 'Wei per gas', kind: 'text', value: '500000000000' }],
    buttons: [{ label: 'Set fee' }],
  },
  'start-over': startOver,
};

const XRPL: Record<KnobName<'XRP'>, KnobForm> = {
  close: { title: 'Close', meaning: 'Closes a ledger now.', fields: [], buttons: [{ label: 'Close' }] },
  hold: hold('ledgers'),
  drop: {
    title: 'Drop the next submission',
    meaning: 'The submission is answered normally but never reaches a ledger.',
    fields: [],
    buttons: [{ label: 'Drop the next' }],
  },
  delay: {
    title: 'Delay the next submission',
    meaning: 'The submission is answered normally but reaches a ledger late.',
    fields: [{ name: 'closes', label: 'Delay in ledgers', kind: 'whole', value: '2' }],
    buttons: [{ label: 'Delay the next' }],
  },
  reorder: {
    title: 'Reorder the next close',
    meaning: 'Applies the newest submission first, so final results may differ from the provisional ones.',
    fields: [],
    buttons: [{ label: 'Reorder' }],
  },
  'load-factor': {
    title: 'Load factor',
    meaning: 'Minimum fee = base fee × factor. The normal factor is 1.',
    fields: [{ name: 'factor', label: 'Factor', kind: 'whole', value: '10' }],
    buttons: [{ label: 'Set factor' }],
  },
  'forget-history': {
    title: 'Delete history',
    meaning: 'Deletes old ledgers, as on a server with little history.',
    fields: [{ name: 'upTo', label: 'Up to this ledger', kind: 'whole' }],
    buttons: [{ label: 'Delete history' }],
    isFinal: true,
  },
  'start-over': startOver,
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
