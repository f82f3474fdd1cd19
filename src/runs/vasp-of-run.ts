import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, accountKey, splitAddress } from '../contract/assets.ts';
import type { Customer, Customers } from '../contract/customers.ts';
import type { DriverDescription } from '../contract/driver.ts';
import type { RegisteredVasp } from '../enclave/control.ts';
import { toIso } from '../kernel/clock.ts';
import { type Driver, driverAt } from '../plans/driver.ts';
import { Unplayable } from '../plans/stop.ts';
import type { RunRow } from '../plans/store.ts';
import { untilListening } from '../plans/until-listening.ts';
import type { PlanUser, RunWorld } from '../plans/world.ts';
import type { WorldDeps } from './deps.ts';

/** The longest wait for an answer of the driver before the run begins. */
const PROBE_MS = 10_000;

interface Waiting {
  limitMs: number;
  signal: AbortSignal;
  /** The run had begun before the program started. */
  isResumed: boolean;
  /** When the run was started. After a restart the addresses of the reference VASP are removed meanwhile. */
  hadDriver: boolean;
}

function addressesOf(registration: RegisteredVasp, ordered: RunRow['settings']['driver']) {
  const { vaspId, endpoints, authorization } = registration;
  const found = ordered ?? (endpoints.driver ? { url: endpoints.driver, ...authorization } : undefined);
  const driver = found && { ...found, vaspId };
  const { driver: _, ...own } = endpoints;
  const vasp = Object.values(own).flatMap(url => url ?? []);
  return { registration, driver, vasp, urls: [...vasp, ...(driver ? [driver.url] : [])] };
}

export const hasDriver = ({ enclave }: WorldDeps, { settings, vaspId }: RunRow): boolean =>
  addressesOf(enclave.findVasp(vaspId)!, settings.driver).driver !== undefined;

/** Waits, unless a person acts, until the VASP listens. Throws `Unplayable` when it listens nowhere. */
export async function untilVaspListens(
  { enclave }: WorldDeps,
  { settings, vaspId }: RunRow,
  { limitMs, signal, isResumed, hadDriver }: Waiting,
) {
  const { guard } = enclave;
  const present = () => addressesOf(enclave.findVasp(vaspId)!, settings.driver);
  if (settings.unattended || hadDriver || present().driver) {
    const urls = () => present().urls;
    if (isResumed || urls().length > 0) await untilListening(urls, { guard, limitMs, signal });
  }
  requireVasp(await untilListening(() => present().vasp, { guard, limitMs: 0, signal }), present().vasp);
  const { registration, driver } = present();
  if (hadDriver && !driver)
    throw new Unplayable({ of: 'DRIVER', message: 'The driver address is registered no more.' });
  return { registration, driver: driver && driverAt(driver, { guard, signal }) };
}

/** A VASP that listens at none of its addresses cannot be judged. */
function requireVasp(silent: readonly string[], urls: readonly string[]): void {
  if (urls.length === 0 || silent.length < urls.length) return;
  const places = [...new Set(silent.map(url => new URL(url).origin))].join(', ');
  throw new Unplayable({ of: 'VASP', message: `The VASP does not answer: nobody listens at ${places}.` });
}

/** The users of the robot, and the customers of the VASP, which its driver may name. Throws `Unplayable`. */
export async function personsOfRun(
  api: Client,
  { id, settings }: RunRow,
  driver: Driver | undefined,
  probing: { limitMs: number; now: number },
): Promise<Pick<RunWorld, 'customers' | 'followsSandboxClock'> & { users: readonly PlanUser[] }> {
  const customer = settings.customers?.customers[0];
  const limitMs = Math.min(probing.limitMs, PROBE_MS);
  const described = driver && (await probeDriver(driver, { runId: id, customer, limitMs, now: probing.now }));
  const customers = settings.customers ?? described?.customers;
  const { users } = await api.users();
  const problem = customers && accountOfRobot(customers, users);
  if (problem !== undefined) throw new Unplayable({ of: 'VASP', message: problem });
  return { users, customers, followsSandboxClock: described?.clock === 'sandbox' };
}

/** A deposit to itself proves nothing. Undefined: no customer has an account of the robot. */
function accountOfRobot({ customers }: Customers, users: readonly PlanUser[]): string | undefined {
  const addressIn = (symbol: AssetSymbol, account: string) => splitAddress(accountKey(symbol, account))[0];
  for (const { id, accounts } of customers)
    for (const symbol of ASSET_SYMBOLS) {
      const account = accounts[symbol];
      const isOfRobot = users.some(
        user => account && addressIn(symbol, user.accounts[symbol]) === addressIn(symbol, account),
      );
      if (isOfRobot)
        return `Customer ${id} has the account ${account}, which belongs to the robot: name an account of your VASP.`;
    }
  return undefined;
}

interface Probe {
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
async function probeDriver(driver: Driver, probe: Probe): Promise<DriverDescription | undefined> {
  const found = await driver.describe(probe.limitMs);
  if (found.kind === 'described') return found.description;
  const why = found.kind === 'failed' ? found.why : await problemOf(driver, probe);
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
async function problemOf(driver: Driver, { runId, customer, limitMs, now }: Probe): Promise<string | undefined> {
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
