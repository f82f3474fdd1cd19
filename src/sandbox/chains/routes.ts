import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { fundAddress } from './fund.ts';
import { FaucetRequest, FaucetResponse, KnobRequest, KnobResponse, knobExamples } from './schema.ts';
import { turnKnob } from './turn-knob.ts';

const POST = { operation: 'sandbox', method: 'POST' } as const;

/** The embedded chains. */
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
    path: '/sandbox/v1/chains/:symbol/:knob',
    summary: 'Turn a knob of an embedded chain: mine, reorganise, hold back, drop, raise fees',
    body: KnobRequest,
    bodyMayBeAbsent: true,
    refusals: ['unknown-symbol', 'embedded-only', 'not-found'],
    examples: knobExamples,
    response: KnobResponse,
    run: ({ body, params }) => turnKnob(deps, params.symbol, params.knob, body),
  }),
];
