import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { listCallbacks } from '../callbacks/list.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from '../timeline/read.ts';
import { listVerifications } from '../verifications/list.ts';
import { adviceOn } from './advice.ts';
import { factsOf } from './facts.ts';
import { unnamedPayments } from './known.ts';
import { type WhyResponse, whyCalls } from './schema.ts';

type Deps = Pick<SandboxDeps, 'db' | 'enclave' | 'exchanges' | 'robot' | 'timers'>;

export const whyEndpoints = (deps: Deps): Endpoint[] => [
  control(whyCalls.why, {
    summary: 'Explain in a few lines why a verification is in its state, and what to do',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params }, caller) => explainVerification(deps, params.uuid, caller),
  }),
];

/** The state of one verification in a few sentences. Throws `Refusal` verification-missing. */
async function explainVerification(deps: Deps, uuid: string, caller: CallerId): Promise<WhyResponse> {
  const timeline = readTimeline(deps, uuid, caller);
  const { verifications } = await listVerifications(deps, { search: uuid, limit: 1 }, caller);
  const entry = verifications[0]!;
  const { verificationUuid } = entry;
  const query = { verificationUuid, order: 'oldest', limit: 100 } as const;
  const { callbacks } = listCallbacks(deps, query, caller);
  const known = {
    entry,
    ...timeline,
    callbacks,
    unnamed: unnamedPayments(deps, entry, caller),
    isOfRobot: entry.counterparty.vaspId === deps.robot.vaspId,
  };
  return { verificationUuid, ...factsOf(known), next: adviceOn(known) };
}
