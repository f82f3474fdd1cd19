import type { ProviderKeys } from './port.ts';

/** The only keys that the simulated providers accept (REF-7). */
export const DEVELOPMENT_KEYS: ProviderKeys = {
  sanctionApiKey: 'development-sanction-key',
  kytApiKey: 'development-kyt-key',
  wcoApiKey: 'development-wco-key',
  wcoGroupId: 'development-group',
};
