import { isAtLeast, multiply } from '../kernel/decimal.ts';
import { isOwnedBy } from './account-owner.ts';
import type { AlertRule, Exposure, Monitoring, SanctionList } from './load.ts';
import type { Alert, MonitoredTransfer, MonitoringFinding, TransactionMonitoring } from './port.ts';
import { answeringLater, type Simulation } from './simulated-provider.ts';
import { listingOf } from './simulated-sanction.ts';

/** REF-2.7 by rules: an exposure of the counterparty raises one alert, by the first rule that matches it. */
export const simulatedKyt = (
  { rules, exposures }: Monitoring,
  lists: readonly SanctionList[],
  sim: Simulation,
): TransactionMonitoring =>
  answeringLater<MonitoredTransfer, MonitoringFinding>(
    sim,
    'kyt',
    ({ asset, counterpartyAddress: address }) => ({ asset, address }),
    async transfer => {
      const { asset, txHash, outputAddress } = transfer;
      // An address that is assessed before a withdrawal has no payment.
      const payment = txHash === undefined ? 'NO-LEDGER' : await sim.paymentAt({ asset, txHash, outputAddress });
      if (payment === 'NOT-FOUND') return { readyInMs: LOOK_AGAIN_MS, waitsFor: 'PAYMENT' };
      const matching = await exposuresOf(transfer, exposures, lists, sim);
      return {
        alerts: matching.flatMap(exposure => {
          const rule = rules.find(each => matches(each, exposure, transfer));
          return rule ? [alertOf(rule, exposure, transfer, sim.newId())] : [];
        }),
        ...(payment === 'NO-LEDGER' ? {} : { transferredAt: payment.at }),
      };
    },
  );

/** D-42 */
const LOOK_AGAIN_MS = 5_000;

type CounterpartyExposure = Omit<Exposure, 'of'>;

/** The exposure of a transfer with a sanctioned counterparty: all of it. */
const SANCTIONED: CounterpartyExposure = {
  category: 'sanctioned entity',
  serviceName: null,
  exposureType: 'DIRECT',
  sharePercent: '100',
};

async function exposuresOf(
  { asset, counterpartyAddress: address }: MonitoredTransfer,
  exposures: readonly Exposure[],
  lists: readonly SanctionList[],
  sim: Simulation,
): Promise<CounterpartyExposure[]> {
  const holder = await sim.holderOf(asset, address);
  const listing = await listingOf(lists, sim, { asset, address });
  return [...(listing ? [SANCTIONED] : []), ...exposures.filter(exposure => isOwnedBy(exposure.of, address, holder))];
}

const matches = (rule: AlertRule, exposure: CounterpartyExposure, transfer: MonitoredTransfer): boolean =>
  isOrAny(rule.category, exposure.category) &&
  isOrAny(rule.exposureType, exposure.exposureType) &&
  isOrAny(rule.direction, transfer.direction) &&
  isOrAny(rule.asset, transfer.asset) &&
  (rule.minUsd === undefined || isAtLeast(transfer.usdPrice ?? '0', rule.minUsd));

const isOrAny = <T>(criterion: T | undefined, value: T): boolean => criterion === undefined || criterion === value;

const CENTS = 2;

const alertOf = (
  rule: AlertRule,
  exposure: CounterpartyExposure,
  transfer: MonitoredTransfer,
  alertId: string,
): Alert => ({
  alertId,
  alertLevel: rule.level,
  entityCategory: exposure.category,
  serviceName: exposure.exposureType === 'INDIRECT' ? null : exposure.serviceName, // REF-2.7
  exposureType: exposure.exposureType,
  alertAmount: multiply(multiply(transfer.usdPrice ?? '0', exposure.sharePercent, 6), '0.01', CENTS),
});
