import type { Receiving } from './deposits.ts';
import type { Seen } from './matching.ts';

/** What the independent VASP sends back by itself. */

const UNNAMED_MS = 2_000;
const MINUTES_MS = 300_000;

export function sendingBack({ is, ledgers, owners, now }: Receiving) {
  const unnamedSince = new Map<Seen, number>();
  async function sendBack(index: number, payment: Seen): Promise<void> {
    if (index < 0 || !payment.from) return;
    payment.isUsed = true;
    const part = payment.units - payment.units / 50n;
    await (await ledgers[payment.symbol]!.sign(index, payment.from, part)).send();
  }

  /** This long after it came. */
  const afterMs = (): number | undefined => {
    if (is('sends an unnamed payment back')) return UNNAMED_MS;
    if (is('sends an unnamed payment back after five minutes')) return MINUTES_MS;
    if (is('sends an unnamed payment back after thirty minutes')) return 6 * MINUTES_MS;
    return undefined;
  };
  /** A payment without a tag belongs to nobody, so that one may go back. */
  const isUntagged = ({ symbol, to }: Seen) => symbol === 'XRP' && !to.includes(':');

  return async (seen: readonly Seen[]): Promise<void> => {
    const unnamedMs = afterMs() ?? Number.POSITIVE_INFINITY;
    for (const payment of seen.filter(({ isUsed }) => !isUsed)) {
      const since = unnamedSince.get(payment) ?? now();
      unnamedSince.set(payment, since);
      const index = owners.findIndex(({ accounts }) => Object.values(accounts).includes(payment.to));
      if (now() - since > unnamedMs) await sendBack(index, payment);
      else if (is('sends a payment without a tag back') && isUntagged(payment)) await sendBack(0, payment);
    }
  };
}
