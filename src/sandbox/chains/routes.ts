import type { CONTROLS } from '../../contract/chain-controls.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { fundAddress } from './fund.ts';
import { resumeRestarted } from './resume.ts';
import { chainCalls, controls } from './schema.ts';
import { refuseControl, setControl } from './set-control.ts';

const RESUME =
  'D-33: a chain that was reset, or lost its state, is neither read nor paid on until this call. Open verifications on it end as ERROR / UNDEFINED-ERROR, unfinished transfers become CANCELED, deposits stay as history, and balances start at zero. D-47: an account of the robot that has made payments which no transfer explains pays nothing. The answer lists them as `held`, and only those that `accept` names hold no more.';
type ChainControl = keyof (typeof CONTROLS)['ETH'] | keyof (typeof CONTROLS)['XRP'];
const CONTROL_SUMMARIES: Readonly<Record<ChainControl, string>> = {
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
  control(chainCalls.faucet, {
    access: 'vasp or operator',
    summary: 'Fund an address on an embedded chain',
    refusals: ['unknown-symbol', 'unknown-address', 'embedded-only', 'chain-refused', 'faucet-unreachable'],
    run: ({ body }, caller) => fundAddress(deps, body, caller),
  }),
  control(chainCalls.resumeChain, {
    access: 'operator',
    summary: 'Go on with a chain that started over, or with held accounts',
    description: RESUME,
    refusals: ['unknown-symbol', 'chain-unreachable'],
    examples: { default: { params: { symbol: 'ETH' }, body: {} } },
    run: ({ params, body }) => resumeRestarted(deps, params.symbol, body.accept),
  }),
  ...controls.map(({ symbol, control: name, shape, example }) =>
    control(
      { ...chainCalls.setControl, path: `/sandbox/v1/chains/${symbol}/${name}`, body: shape },
      {
        access: 'operator',
        summary: `${symbol}: ${CONTROL_SUMMARIES[name as ChainControl]}`,
        refusals: ['embedded-only', 'chain-unreachable', 'chain-refused'],
        ...(symbol === 'ETH' && name === 'drop' ? { precondition: 'transaction-waits' as const } : {}),
        examples: { [`${symbol} ${name}`]: { body: example } },
        run: ({ body }) => setControl(deps, symbol, name, body),
      },
    ),
  ),
  control(chainCalls.setControl, {
    access: 'operator',
    summary: 'Refuses a chain control that does not exist, and names those that do',
    refusals: ['unknown-symbol', 'embedded-only', 'not-found'],
    alwaysRefuses: true,
    examples: { default: { params: { symbol: 'ETH', control: 'close' } } },
    run: ({ params }) => refuseControl(deps, params.symbol, params.control),
  }),
];
