import type { Customer } from '../contract/customers.ts';
import type { DriverDescription } from '../contract/driver.ts';
import { toIso } from '../kernel/clock.ts';
import type { Driver } from './driver.ts';
import { Unplayable } from './stop.ts';

export interface Probe {
  runId: string;
  /** One who is known. Undefined: one that the VASP does not know. */
  customer: Customer | undefined;
  limitMs: number;
  /** Time of the machine, epoch ms. */
  now: number;
}

/**
 * Asks the driver address for its description before anything is played. An address without one must answer to an order:
 * it is asked for a balance, which changes nothing. Undefined: it describes nothing. Throws `Unplayable`.
 */
export async function probeDriver(driver: Driver, probe: Probe): Promise<DriverDescription | undefined> {
  const found = await driver.describe(probe.limitMs);
  if (found.kind === 'described') return found.description;
  const why = found.kind === 'failed' ? found.why : await flawOf(driver, probe);
  if (why !== undefined) throw new Unplayable({ of: 'DRIVER', message: `${driver.name} ${why}.` });
  return undefined;
}

const NOBODY: Customer = {
  id: 'nobody',
  kind: 'natural',
  names: { lastName: 'Nobody', firstName: 'Nobody' },
  accounts: { ETH: '0x000000000000000000000000000000000000dead' },
  kyc: false,
};

/** A driver that cannot tell a balance answers 501, and one that does not know the customer any other error. */
async function flawOf(driver: Driver, { runId, customer, limitMs, now }: Probe): Promise<string | undefined> {
  const parameters = { symbol: 'ETH', customer: customer ?? NOBODY };
  const answerBy = toIso(now + limitMs);
  const order = { runId, module: 'probe', action: 'balance', parameters, answerBy } as const;
  const outcome = await driver.act(order, limitMs);
  if (outcome.kind !== 'failed') return undefined;
  const { status, why } = outcome;
  const isAlive = status !== undefined && status >= 400 && ![401, 403, 404, 405].includes(status);
  if (isAlive || (status === 404 && !customer)) return undefined;
  return status === 404 || status === 405
    ? `answered ${status} to POST: it is no driver address. A driver answers 501 to what it cannot do`
    : why;
}
