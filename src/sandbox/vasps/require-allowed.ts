import { refusals } from '../../contract/refusals.ts';
import type { RegisteredVasp } from '../../enclave/control.ts';
import type { SandboxDeps } from '../deps.ts';

/** Throws `Refusal` address-not-allowed for the first address that the program does not call. */
export function requireAllowed(
  { enclave }: Pick<SandboxDeps, 'enclave'>,
  endpoints: RegisteredVasp['endpoints'],
): void {
  for (const [name, url] of Object.entries(endpoints)) {
    const flaw = url === undefined ? undefined : enclave.guard.flawOf(url);
    if (flaw !== undefined) throw refusals.addressNotAllowed(`endpoints.${name}`, flaw);
  }
}
