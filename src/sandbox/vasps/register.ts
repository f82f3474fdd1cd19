import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import { VaspId } from '../../contract/text.ts';
import { write } from '../../db/transaction.ts';
import type { RegisteredVasp as Stored } from '../../enclave/vasps/store.ts';
import type { SandboxDeps } from '../deps.ts';
import { presentVasp } from './list.ts';
import type { VaspRequest } from './schema.ts';

const FOREIGN_VASP = 'This is another VASP: it acts with its own API key.';

/** The registration of the caller itself. Throws `Refusal` not-found, unauthorized. */
export function ownVasp({ enclave }: SandboxDeps, vaspId: string, caller: string): Stored {
  const known = enclave.vasps.find(vaspId);
  if (!known) throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  if (vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  return known;
}

/** Registers a VASP (its `apiKey` is shown this once) or changes one, which only that VASP itself may do. */
export function registerVasp(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  caller: string,
) {
  if (!VaspId.safeParse(vaspId).success)
    throw refusals.invalidField('vaspId', 'should be decimal text that fits an unsigned 64-bit number');
  const { vasps } = deps.enclave;
  const known = vasps.find(vaspId);
  if (known && vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  const now = deps.clock.now(vaspId);
  const apiKey = known ? undefined : `rv_${deps.random.secret()}`;
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
  return { ...presentVasp(vasps.find(vaspId)!), ...(apiKey === undefined ? {} : { apiKey }) };
}
