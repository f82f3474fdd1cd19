import type { ProviderKeys } from '../../screening/port.ts';
import type { Registration } from '../../vasps/wire.ts';

export interface RegisteredVasp extends Registration {
  isActive: boolean;
  health: 'UP' | 'DOWN';
  apiKeyHash: string | null;
  /** Instead of the configured ones. Never shown. */
  providerKeys?: Partial<ProviderKeys> | undefined;
  createdAt: number;
}
