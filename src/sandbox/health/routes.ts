import type * as z from 'zod';
import { ASSETS, addressText } from '../../contract/assets.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { headAge } from '../chains/head.ts';
import type { ChainFigures, SandboxDeps } from '../deps.ts';
import { listAttention } from './attention.ts';
import { type ChainHealth, healthCalls } from './schema.ts';

type Chain = z.output<typeof ChainHealth>;

export const healthEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(healthCalls.health, {
    access: 'vasp or operator',
    summary: 'Read the readiness of the sandbox and the attention list',
    run: (_, caller) => readHealth(deps, caller),
  }),
];

/** The readiness for tests, and the attention list of this VASP. */
async function readHealth(deps: SandboxDeps, vaspId: CallerId) {
  const missing = deps.missing();
  const chains = await Promise.all((await deps.figures()).map(figures => chainHealth(deps, figures)));
  return { ready: missing.length === 0, missing, chains, attention: listAttention(deps, chains, vaspId) };
}

async function chainHealth(deps: SandboxDeps, { symbol, head, funds, callBudget }: ChainFigures): Promise<Chain> {
  const network = deps.networks[symbol];
  const chain = await network.chain();
  const state = network.state();
  const text = (units: bigint) => formatUnits(units, ASSETS[symbol].decimals);
  return {
    symbol,
    network: chain.label,
    isEmbedded: network.isEmbedded,
    held: await network.isHeld(),
    stateBytes: await network.stateBytes(),
    isRead: state.ok,
    why: state.ok ? null : state.why,
    head: head?.height ?? null,
    headAgeMs: headAge(head, network.isEmbedded, deps.clock.machineNow()),
    readUpTo: deps.robot.readPosition(symbol)?.height ?? null,
    callBudget: callBudget ?? null,
    funds: [...funds].map(([address, { spendable, lacks }]) => ({
      address: addressText(address),
      balance: text(spendable),
      isLow: lacks > 0n,
      lacks: text(lacks),
    })),
  };
}
