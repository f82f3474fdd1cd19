import { loadScreening, type ScreeningData } from '../../../src/screening/load.ts';
import {
  DEVELOPMENT_KEYS,
  type MonitoredTransfer,
  type ScreenedPerson,
  type Screening,
} from '../../../src/screening/port.ts';
import { simulatedScreening } from '../../../src/screening/simulated.ts';
import { addressOf, fixtureUsers } from '../judge/judge-request.ts';
import { FIXTURES } from '../paths.ts';

export const data: ScreeningData = loadScreening(FIXTURES, FIXTURES);

/** The simulated providers, with the users of the fixtures. Identifiers count up. */
export function screeningOf(given: ScreeningData = data): Screening {
  let issued = 0;
  return simulatedScreening(given, {
    accepted: DEVELOPMENT_KEYS,
    holderOf: async (asset, address) =>
      fixtureUsers.find(
        user =>
          (asset === 'ETH' || asset === 'XRP') && addressOf(user.id, asset).toLowerCase() === address.toLowerCase(),
      ),
    paymentAt: async () => 'NO-LEDGER',
    newId: () => `id-${++issued}`,
    answerMs: 2_000,
  });
}

export const transferOf = (change: Partial<MonitoredTransfer> = {}): MonitoredTransfer => ({
  direction: 'OUTGOING',
  asset: 'ETH',
  amount: '1',
  usdPrice: '100',
  network: 'Ethereum',
  outputAddress: '0x5811001506550d8356a215be229c15b6ef371a9b',
  counterpartyAddress: '0x5811001506550d8356a215be229c15b6ef371a9b',
  ...change,
});

export const personOf = (name: string, more: Partial<ScreenedPerson> = {}): ScreenedPerson => ({
  kind: 'INDIVIDUAL',
  names: [name],
  ...more,
});
