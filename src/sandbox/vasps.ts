import type * as z from 'zod';
import { faults } from '../contract/faults.ts';
import { VaspId } from '../contract/text.ts';
import { write } from '../db/write.ts';
import type { RegisteredVasp as Stored } from '../enclave/vasps/store.ts';
import type { VaspRequest } from './api/vasps.ts';
import type { SandboxDeps } from './deps.ts';

/** Registers a VASP (its `apiKey` is shown this once) or changes one, which only that VASP itself may do. */
export function registerVasp(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  caller: string,
) {
  if (!VaspId.safeParse(vaspId).success)
    throw faults.invalidField('vaspId', 'should be decimal text that fits an unsigned 64-bit number');
  const { vasps } = deps.enclave;
  const known = vasps.find(vaspId);
  if (known && vaspId !== caller) throw faults.unauthorized();
  const now = deps.clock.now(vaspId);
  const apiKey = known ? undefined : `rv_${deps.ids.secret()}`;
  write(deps.db, tx =>
    vasps.save(
      tx,
      {
        vaspId,
        name: request.name,
        endpoints: request.endpoints,
        authorization: request.authorization ?? { header: 'Authorization' },
        ...(request.providerKeys ? { providerKeys: request.providerKeys } : {}),
        isActive: true,
        createdAt: known?.createdAt ?? now,
        updatedAt: Math.max(now, (known?.updatedAt ?? 0) + 1),
      },
      apiKey,
    ),
  );
  return { ...present(vasps.find(vaspId)!), ...(apiKey === undefined ? {} : { apiKey }) };
}

export const listVasps = (deps: SandboxDeps) => ({ vasps: deps.enclave.vasps.all().map(present) });

/** Never the token, never a key. */
const present = ({ vaspId, name, endpoints, authorization, health }: Stored) => ({
  vaspId,
  name,
  endpoints,
  authorization: { header: authorization.header, hasToken: authorization.token !== undefined },
  health,
});
