import { type Refusal, refusals } from '../../contract/refusals.ts';
import { ProviderError, type ProviderKeys } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';

/** The keys that the VASP registered, completed by the configured ones. */
export const providerKeysOf = (deps: EnclaveDeps, vaspId: string): ProviderKeys => ({
  ...deps.risk.keys,
  ...deps.vasps.find(vaspId)?.providerKeys,
});

const REFUSALS = {
  'ACCESS-REFUSED': refusals.providerRefused,
  'GROUP-NOT-FOUND': refusals.groupNotFound,
  FAILED: refusals.providerFailed,
};

/** REF-7: the refusal for a provider's error. Any other error is returned as it is. */
export const asRefusal = (error: unknown): Refusal | unknown =>
  error instanceof ProviderError ? REFUSALS[error.why]() : error;
