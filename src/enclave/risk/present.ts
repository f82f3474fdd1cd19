import type { CallbackData } from '../../contract/callbacks.ts';
import type { KytApiType, ProviderASanction } from '../../contract/risk.ts';
import { toIso } from '../../kernel/clock.ts';
import type {
  MonitoredTransfer,
  MonitoringFinding,
  PersonFinding,
  SanctionFinding,
  ScreenedAddress,
} from '../../screening/port.ts';
import type { Assessment } from './store.ts';

type KytAssessment = CallbackData<'PROVIDER_A_KYT_RESULT'>['riskAssessment'];
type WcoAssessment = CallbackData<'PROVIDER_B_WCO_RESULT'>['riskAssessment'];
type SanctionAssessment = { providerASanction: ProviderASanction };

/** The request to the provider, and the members that only the result has. */
export type KytRequest = MonitoredTransfer & { apiType: KytApiType; timestamp: string };

const commonOf = ({ requestId, counterpartyVaspId, direction }: Assessment) => ({
  requestId,
  counterpartyVaspId,
  direction,
});
const assessedAtOf = ({ assessedAt }: Assessment) => (assessedAt === null ? {} : { assessedAt: toIso(assessedAt) });
const findingOf = <F>({ result }: Assessment): F | undefined => (result ?? undefined) as F | undefined;

/** REF-2.5 */
export function presentSanction(row: Assessment): SanctionAssessment {
  const listing = findingOf<SanctionFinding>(row)?.listing;
  return {
    providerASanction: {
      ...commonOf(row),
      address: (row.request as ScreenedAddress).address,
      status: listing ? 'SANCTION' : 'NOHIT',
      ...(listing ? { ofacName: listing.name, ofacDescription: listing.description, ofacUrl: listing.url } : {}),
      createdAt: toIso(row.createdAt),
    },
  };
}

/** REF-2.6, REF-2.7 */
export function presentKyt(row: Assessment): KytAssessment {
  const request = row.request as KytRequest;
  const { alerts, transferredAt } = findingOf<MonitoringFinding>(row) ?? {};
  const externalId = row.reference;
  return {
    providerAKYT: {
      ...commonOf(row),
      apiType: request.apiType,
      userId: row.counterpartyVaspId,
      network: request.network,
      asset: request.asset,
      amount: request.amount,
      ...(request.usdPrice === null ? {} : { usdPrice: request.usdPrice }),
      ...(request.transferRef === undefined ? {} : { transferRef: request.transferRef }),
      outputAddress: request.outputAddress,
      timestamp: transferredAt === undefined ? request.timestamp : toIso(transferredAt),
      ...(externalId === null ? {} : { externalId }),
      status: row.status,
      alertCount: alerts?.length ?? null,
      createdAt: toIso(row.createdAt),
      ...assessedAtOf(row),
    },
    ...(alerts === undefined || alerts.length === 0
      ? {}
      : {
          providerAKYTAlerts: alerts.map(alert => ({
            counterpartyVaspId: row.counterpartyVaspId,
            externalId: externalId!,
            direction: row.direction,
            ...alert,
            createdAt: toIso(row.assessedAt!),
          })),
        }),
  };
}

/** REF-2.8 */
export function presentWco(row: Assessment): WcoAssessment {
  const finding = findingOf<PersonFinding>(row);
  return {
    providerBWCO: {
      ...commonOf(row),
      ...(row.reference === null ? {} : { caseSystemId: row.reference }),
      status: row.status,
      ...(finding?.matchStrength ? { matchStrength: finding.matchStrength } : {}),
      ...(finding ? { aggregatedSummaryResult: finding.aggregatedSummaryResult } : {}),
      createdAt: toIso(row.createdAt),
      ...assessedAtOf(row),
    },
  };
}

const PRESENT = { sanction: presentSanction, kyt: presentKyt, wco: presentWco } as const;

export const presentAssessment = (row: Assessment) => PRESENT[row.kind](row);
