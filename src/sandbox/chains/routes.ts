import type { KNOBS } from '../../contract/knobs.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { fundAddress } from './fund.ts';
import { resumeRestarted } from './resume.ts';
import {
  FaucetRequest,
  FaucetResponse,
  KnobResponse,
  knobs,
  ResumeRequest,
  ResumeResponse,
} from './schema.ts';
import { refuseKnob, turnKnob } from './turn-knob.ts';

const RESUME =
  'D-33: a chain that was reset, or lost its state, is neither read nor paid on until this call. Open verifications on it end as ERROR / UNDEFINED-ERROR, unfinished transfers become CANCELED, deposits stay as history, and balances start at zero.';
type Knob = keyof (typeof KNOBS)['ETH'] | keyof (typeof KNOBS)['XRP'];
const KNOB_SUMMARIES: Readonly<Record<Knob, string>> = {
  mine: 'mine empty blocks',
  reorg: 'replace the newest blocks',
  drop: 'lose a transaction that waits, or the next one',
  hold: 'keep blocks empty until told otherwise',
  'fee-spike': 'raise the base fee of the next block',
  'start-over': 'begin with a new chain',
  close: 'close the ledger',
  delay: 'take the next submission into a later ledger',
  reorder: 'reverse the order of the next ledger',
  'load-factor': 'raise the minimum fee',
  'forget-history': 'delete old ledgers',
};

/** The chains. Only `resume` concerns chains that are reached by URL. */
export const chainEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control.post('/sandbox/v1/faucet', {
    access: 'vasp or operator',
    summary: 'Fund an address on an embedded chain',
    body: FaucetRequest,
    refusals: ['unknown-symbol', 'unknown-address', 'embedded-only', 'chain-refused'],
    response: FaucetResponse,
    run: ({ body }, caller) => fundAddress(deps, body, caller),
  }),
  control.post('/sandbox/v1/chains/:symbol/resume', {
    access: 'operator',
    summary: 'Go on with a chain that started over (CHAIN-RESTARTED)',
    description: RESUME,
    body: ResumeRequest,
    bodyMayBeAbsent: true,
    refusals: ['unknown-symbol', 'chain-unreachable'],
    examples: { default: { params: { symbol: 'ETH' }, body: {} } },
    response: ResumeResponse,
    run: ({ params }) => resumeRestarted(deps, params.symbol),
  }),
  ...knobs.map(({ symbol, knob, shape, example }) =>
    control.post(`/sandbox/v1/chains/${symbol}/${knob}` as `/sandbox/v1/chains/${string}`, {
      access: 'operator',
      summary: `${symbol}: ${KNOB_SUMMARIES[knob as Knob]}`,
      body: shape,
      bodyMayBeAbsent: true,
      refusals: ['embedded-only', 'chain-unreachable', 'chain-refused'],
      ...(symbol === 'ETH' && knob === 'drop' ? { precondition: 'transaction-waits' as const } : {}),
      examples: { [`${symbol} ${knob}`]: { body: example } },
      response: KnobResponse,
      run: ({ body }) => turnKnob(deps, symbol, knob, body),
    }),
  ),
  control.post('/sandbox/v1/chains/:symbol/:knob', {
    access: 'operator',
    summary: 'Refuses a knob that does not exist, and names those that do',
    refusals: ['unknown-symbol', 'embedded-only', 'not-found'],
    alwaysRefuses: true,
    response: KnobResponse,
    examples: { default: { params: { symbol: 'ETH', knob: 'close' } } },
    run: ({ params }) => refuseKnob(deps, params.symbol, params.knob),
  }),
];
