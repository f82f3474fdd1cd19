import type { FaultHit, FaultInjector } from './port.ts';
import { NODE_METHODS } from './targets.ts';

type DevnetHit = Extract<FaultHit, { mode: 'delay' | 'drop' | 'error' | 'never-answer' }>;

/** The fault of this VASP that hits a call to an embedded ledger. */
export function devnetFault(
  faults: FaultInjector,
  vaspId: string,
  symbol: 'ETH' | 'XRP',
  method: string,
): DevnetHit | undefined {
  const targets = ['devnet', `devnet.${symbol}`] as const;
  const ofMethod = NODE_METHODS.filter(each => each === method).map(each => `devnet.${each}` as const);
  const hit = faults.consume({ vaspId, targets: [...ofMethod, ...targets], verificationUuid: null });
  return hit as DevnetHit | undefined;
}
