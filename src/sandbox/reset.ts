import * as z from 'zod';
import type { CallerId } from '../contract/tenancy.ts';
import { named } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { Behind, withJoinedRobots } from './clock.ts';
import { deleteData } from './delete-data.ts';
import type { SandboxDeps } from './deps.ts';

export const resetEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(resetCalls.reset, {
    summary: 'Delete the data of this VASP; its registration stays',
    run: (_, caller) => reset(deps, caller),
  }),
];

/** Here, then at the robots that have joined. */
async function reset(deps: SandboxDeps, vaspId: CallerId) {
  await deleteData(deps, vaspId);
  const [, behind] = await withJoinedRobots(deps, vaspId, async robots => robots?.reset());
  return { result: true as const, behind };
}

/** `/reset` */

export const ResetResponse = named('ResetResponse', { result: z.literal(true), behind: Behind });

export const resetCalls = calls({ reset: { response: ResetResponse } });
