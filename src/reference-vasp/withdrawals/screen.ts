import { Refused } from '../../client/client.ts';
import type { VaspDeps } from '../deps.ts';
import type { Order, Withdrawal } from './withdrawal.ts';

/** The assessments before the payment. An assessment that speaks against it, or fails, ends the withdrawal. */

type Kind = NonNullable<Order['kinds']>[number];
const SANCTION = 'SANCTION';
const BAD_ALERTS: readonly string[] = ['HIGH', 'SEVERE'];
const BAD_MATCHES: readonly unknown[] = ['STRONG', 'EXACT'];

export async function screen(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, order } = withdrawal;
  for (const kind of order.kinds ?? []) {
    const isGood = await judge(deps, withdrawal, kind);
    if (isGood === undefined) return;
    if (!isGood) return void deps.store.moveWithdrawal(id, 'CANCELS', 'NOT-ALLOWED');
  }
  deps.store.moveWithdrawal(id, 'VERIFIED');
}

/** Undefined: the result is not there yet. */
async function judge(deps: VaspDeps, { id, uuid }: Withdrawal, kind: Kind): Promise<boolean | undefined> {
  const { store, enclave } = deps;
  try {
    if (kind === 'sanction')
      return (await enclave.assessSanction(uuid!)).providerASanction.status !== SANCTION;
    const asked = store.screening(id, kind);
    if (asked !== undefined) return isGood(store.assessment(asked));
    const { requestId } = await (kind === 'kyt' ? enclave.assessKyt(uuid!) : enclave.assessWco(uuid!));
    store.addScreening(id, kind, requestId);
    return isGood(store.assessment(requestId));
  } catch (error) {
    if (error instanceof Refused && error.status < 500) return false;
    throw error;
  }
}

/** REF-3: REGISTERED is no result. */
function isGood(kept: string | undefined): boolean | undefined {
  if (kept === undefined) return undefined;
  const {
    providerAKYT,
    providerAKYTAlerts = [],
    providerBWCO,
  } = JSON.parse(kept) as {
    providerAKYT?: { status: string };
    providerAKYTAlerts?: { alertLevel: string }[];
    providerBWCO?: { status: string; matchStrength?: string | null };
  };
  if ((providerAKYT ?? providerBWCO)?.status !== 'PROCESSED') return undefined;
  const isAlarming = providerAKYTAlerts.some(({ alertLevel }) => BAD_ALERTS.includes(alertLevel));
  return !isAlarming && !BAD_MATCHES.includes(providerBWCO?.matchStrength);
}
