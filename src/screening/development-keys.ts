import type { ProviderKeys } from './port.ts';

/** What the simulated providers accept, and nothing else: any other value is refused (REF-7). */
export const DEVELOPMENT_KEYS: ProviderKeys = {
  sanctionApiKey: 'development-sanction-key',
  kytApiKey: 'development-kyt-key',
  wcoApiKey: 'development-wco-key',
  wcoGroupId: 'development-group',
};
