import type * as z from 'zod';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { VaspId } from '../../contract/text.ts';
import type { RegisteredVasp, RegisteredVasp as Stored } from '../../enclave/control.ts';
import type { SandboxDeps } from '../deps.ts';
import { maskedEndpoints, presentVasp } from './list.ts';
import type { VaspRequest } from './schema.ts';

/** A VASP without provider keys uses the configured ones. */
const hasKeys = (keys: z.output<typeof VaspRequest>['providerKeys']): boolean =>
  Object.values(keys ?? {}).some(key => key !== undefined);

const FOREIGN_VASP = 'This is another VASP. Only its own API key may change it.';

/** The registration of the caller. Throws `Refusal` not-found, unauthorized. */
export function ownVasp({ enclave, isHosted }: SandboxDeps, vaspId: string, caller: CallerId): Stored {
  const registered = enclave.findVasp(vaspId);
  if (!registered || (isHosted && vaspId !== caller)) throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  if (vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  return registered;
}

/**
 * Registers a VASP or replaces a registration. Only a VASP itself may replace its own. `apiKey` is only in the answer to the
 * first registration. In hosted mode nobody registers here. Throws `Refusal` invalid-field, unauthorized, not-found,
 * address-not-allowed.
 */
export function registerVasp(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  caller: CallerId,
) {
  if (deps.isHosted && vaspId !== caller) throw refusals.notFound(`VASP(${vaspId.slice(0, 64)})`);
  if (!VaspId.safeParse(vaspId).success)
    throw refusals.invalidField('vaspId', 'should be an unsigned 64-bit integer in decimal text');
  const before = deps.enclave.findVasp(vaspId);
  if (before && vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  const apiKey = before ? undefined : `rv_${deps.random.secret()}`;
  const saved = saveRegistration(deps, vaspId, request, apiKey);
  return {
    ...presentVasp(saved),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(saved.endpoints.clock && !deps.isHosted ? { clocks: deps.clock.moved().slice(0, MAX_CLOCKS) } : {}),
  };
}

const MAX_CLOCKS = 1000;

/** `apiKey`: of a first registration in the local mode. */
export function saveRegistration(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  apiKey?: string,
): Stored {
  const before = deps.enclave.findVasp(vaspId);
  const now = deps.clock.now(vaspId);
  const { name, endpoints, authorization = { header: 'Authorization' }, providerKeys } = request;
  const called = unmasked(endpoints, before?.endpoints);
  requireAllowed(deps, called);
  return deps.enclave.saveVasp(
    {
      vaspId,
      name,
      endpoints: called,
      authorization,
      ...(hasKeys(providerKeys) ? { providerKeys } : {}),
      isActive: true,
      createdAt: before?.createdAt ?? now,
      updatedAt: Math.max(now, (before?.updatedAt ?? 0) + 1),
    },
    apiKey,
  );
}

/** An address that comes back as it was shown, with its secrets masked, keeps them. */
function unmasked(endpoints: Stored['endpoints'], before: Stored['endpoints'] = {}): Stored['endpoints'] {
  const shown = maskedEndpoints(before);
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, url]) => {
      const endpoint = name as keyof Stored['endpoints'];
      return [name, url !== undefined && url === shown[endpoint] ? before[endpoint] : url];
    }),
  );
}

/** Throws `Refusal` address-not-allowed for the first address that the program does not call. */
export function requireAllowed({ enclave }: SandboxDeps, endpoints: RegisteredVasp['endpoints']): void {
  for (const [name, url] of Object.entries(endpoints)) {
    const problem = url === undefined ? undefined : enclave.guard.problemOf(url);
    if (problem !== undefined) throw refusals.addressNotAllowed(`endpoints.${name}`, problem);
  }
}
