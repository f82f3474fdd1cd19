import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { fundAddress } from './fund.ts';
import { resumeRestarted } from './resume.ts';
import {
  FaucetRequest,
  FaucetResponse,
  KnobRequest,
  KnobResponse,
  knobExamples,
  ResumeRequest,
  ResumeResponse,
} from './schema.ts';
import { turnKnob } from './turn-knob.ts';

const RESUME =
  'D-33: a chain that was reset, or lost its state, is neither read nor paid on until this call. Open verifications on it end as ERROR / UNDEFINED-ERROR, unfinished transfers become CANCELED, deposits stay as history, and balances start at zero.';
const POST = { operation: 'sandbox', method: 'POST' } as const;

/** The chains. Only `resume` concerns chains that are reached by URL. */
export const chainEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...POST,
    path: '/sandbox/v1/faucet',
    summary: 'Fund an address on an embedded chain',
    body: FaucetRequest,
    refusals: ['unknown-symbol', 'embedded-only'],
    response: FaucetResponse,
    run: ({ body }) => fundAddress(deps, body),
  }),
  endpoint({
    ...POST,
    path: '/sandbox/v1/chains/:symbol/resume',
    summary: 'Go on with a chain that started over (CHAIN-RESTARTED)',
    description: RESUME,
    body: ResumeRequest,
    bodyMayBeAbsent: true,
    refusals: ['unknown-symbol', 'chain-unreachable'],
    examples: { default: { params: { symbol: 'ETH' }, body: {} } },
    response: ResumeResponse,
    run: ({ params }) => resumeRestarted(deps, params.symbol),
  }),
  endpoint({
    ...POST,
    path: '/sandbox/v1/chains/:symbol/:knob',
    summary: 'Turn a knob of an embedded chain: mine, reorganise, hold back, drop, raise fees',
    body: KnobRequest,
    bodyMayBeAbsent: true,
    refusals: ['unknown-symbol', 'embedded-only', 'chain-unreachable', 'not-found'],
    examples: knobExamples,
    response: KnobResponse,
    run: ({ body, params }) => turnKnob(deps, params.symbol, params.knob, body),
  }),
];
