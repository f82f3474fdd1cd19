import { type Refusal, refusals } from '../../contract/refusals.ts';
import { AccessRefused, GroupNotFound, ProviderFailed, type ProviderKeys } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';

/** What the VASP has registered, and for the rest what is configured. */
export const providerKeysOf = (deps: EnclaveDeps, vaspId: string): ProviderKeys => ({
  ...deps.risk.keys,
  ...deps.vasps.find(vaspId)?.providerKeys,
});

/** REF-7: what the caller is told; anything that is no word of a provider stays as it is. */
export function asRefusal(error: unknown): Refusal | unknown {
  if (error instanceof AccessRefused) return refusals.providerRefused();
  if (error instanceof GroupNotFound) return refusals.groupNotFound();
  if (error instanceof ProviderFailed) return refusals.providerFailed();
  return error;
}

/** Why a call of a provider was in vain, for the timeline. Throws what is no word of a provider. */
export function failureText(error: unknown): string {
  if (error instanceof AccessRefused) return 'the provider refuses the API key';
  if (error instanceof GroupNotFound) return 'the provider does not find the group';
  if (error instanceof ProviderFailed) return error.message;
  throw error;
}
