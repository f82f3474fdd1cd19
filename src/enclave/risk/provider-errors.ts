import { type Refusal, refusals } from '../../contract/refusals.ts';
import { AccessRefused, GroupNotFound, ProviderFailed, type ProviderKeys } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';

/** The keys that the VASP registered, completed by the configured ones. */
export const providerKeysOf = (deps: Pick<EnclaveDeps, 'risk' | 'vasps'>, vaspId: string): ProviderKeys => ({
  ...deps.risk.keys,
  ...deps.vasps.find(vaspId)?.providerKeys,
});

/** REF-7: the refusal for a provider's error. Any other error is returned as it is. */
export function asRefusal(error: unknown): Refusal | unknown {
  if (error instanceof AccessRefused) return refusals.providerRefused();
  if (error instanceof GroupNotFound) return refusals.groupNotFound();
  if (error instanceof ProviderFailed) return refusals.providerFailed();
  return error;
}

/** Why the call of a provider failed, for the timeline. Throws any other error. */
export function failureText(error: unknown): string {
  if (error instanceof AccessRefused) return 'the provider refuses the API key';
  if (error instanceof GroupNotFound) return 'the provider does not find the group';
  if (error instanceof ProviderFailed) return error.message;
  throw error;
}
