import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { splitAddress } from '../contract/assets.ts';
import { ALERT_LEVELS, Direction } from '../contract/risk.ts';
import { DecimalText } from '../contract/text.ts';
import { readFixture, readFixtureText } from '../kernel/text-file.ts';

/**
 * Names of accounts in data: by address, by a user of the robot, or by all users of one behaviour. Users' addresses
 * differ between installations, so a list can only name the user.
 */
const AccountOwner = z.union([
  z.strictObject({ address: z.string().min(1) }),
  z.strictObject({ user: z.string().min(1) }),
  z.strictObject({ behaviour: z.string().min(1) }),
]);
type AccountOwner = z.infer<typeof AccountOwner>;

interface Holder {
  id: string;
  behaviour: string;
}
/** The user of the robot that holds an account, if one does. */
export type HolderOf = (asset: string, address: string) => Promise<Holder | undefined>;

/** The keys that match an address: the whole address, and the address without its tag (WIRE-6.1). */
export function addressKeys(address: string): string[] {
  const key = addressKey(address);
  const [account] = splitAddress(key);
  return account === key ? [key] : [key, account];
}

/** D-08: hexadecimal addresses ignore case, all others are exact. */
const addressKey = (address: string): string => (/^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address);

export function isOwnedBy(owner: AccountOwner, address: string, holder: Holder | undefined): boolean {
  if ('address' in owner) return addressKeys(address).includes(addressKey(owner.address));
  return 'user' in owner ? holder?.id === owner.user : holder?.behaviour === owner.behaviour;
}

/** The data of the simulated providers: the files in `screening/` of the fixtures folder. */

const name = z.string().min(1);
const exposureType = z.enum(['DIRECT', 'INDIRECT']);

/** `file` holds one address per line. */
const SanctionList = z.strictObject({
  name,
  description: name,
  url: z.url(),
  of: z.array(AccountOwner),
  file: name.optional(),
});
export type SanctionList = Omit<z.infer<typeof SanctionList>, 'file'> & { addresses: ReadonlySet<string> };

/** A missing member matches everything. The first matching rule decides the level. */
const AlertRule = z.strictObject({
  id: name,
  level: z.enum(ALERT_LEVELS),
  category: name.optional(),
  exposureType: exposureType.optional(),
  direction: Direction.optional(),
  asset: name.optional(),
  minUsd: DecimalText.optional().describe('Minimum value of the transfer in USD.'),
});
export type AlertRule = z.infer<typeof AlertRule>;

const Exposure = z.strictObject({
  of: AccountOwner,
  category: name,
  serviceName: name.nullable().describe('Null: the service is not identified.'),
  exposureType,
  sharePercent: DecimalText.describe('Share of the transferred funds.'),
});
export type Exposure = z.infer<typeof Exposure>;

const Monitoring = z.strictObject({ rules: z.array(AlertRule), exposures: z.array(Exposure) });
export type Monitoring = z.infer<typeof Monitoring>;

export const WATCH_CATEGORIES = ['SANCTIONS', 'LAW-ENFORCEMENT', 'POLITICALLY-EXPOSED', 'ADVERSE-MEDIA'] as const;
const WatchEntry = z.strictObject({
  id: name,
  kind: z.enum(['INDIVIDUAL', 'ORGANISATION']),
  names: z.array(name).min(1),
  category: z.enum(WATCH_CATEGORIES),
  dateOfBirth: z.iso.date().optional(),
  placeOfBirth: name.optional(),
});
export type WatchEntry = z.infer<typeof WatchEntry>;

const Outage = z.strictObject({
  of: AccountOwner,
  provider: z.enum(['sanction', 'kyt', 'wco']),
  call: z.enum(['screen', 'register', 'result']),
  times: z.number().int().min(1).describe('The number of calls for one assessment that fail before the first success.'),
});
export type Outage = z.infer<typeof Outage>;

/** For the catalogue: the user that provokes an outcome. `expect` is a part of the result. */
const RiskScenario = z.strictObject({
  operation: z.enum(['assess-sanction', 'assess-kyt', 'assess-wco']),
  outcome: name,
  user: name,
  expect: z.record(z.string(), z.unknown()),
});
export type RiskScenario = z.infer<typeof RiskScenario>;

/** Currency -> USD for one unit. */
const UsdRates = z.record(z.string().regex(/^[A-Z]{3,}$/), DecimalText);

export type ScreeningData = ReturnType<typeof loadScreening>;

/** Takes `shippedPath` if the fixtures hold no `screening/`. Throws `FixtureError`. */
export function loadScreening(fixturesPath: string, shippedPath: string) {
  const own = join(fixturesPath, 'screening');
  const folder = existsSync(own) ? own : join(shippedPath, 'screening');
  return {
    sanctions: readFixture(join(folder, 'sanctions.json'), z.array(SanctionList)).map(({ file, ...list }) => ({
      ...list,
      addresses: new Set(file === undefined ? [] : linesOf(folder, file)),
    })),
    monitoring: readFixture(join(folder, 'monitoring.json'), Monitoring),
    watchList: readFixture(join(folder, 'watch-list.json'), z.array(WatchEntry)),
    outages: readFixture(join(folder, 'outages.json'), z.array(Outage)),
    scenarios: readFixture(join(folder, 'scenarios.json'), z.array(RiskScenario)),
    usdRates: readFixture(join(folder, 'usd-rates.json'), UsdRates),
  };
}

const linesOf = (folder: string, file: string): string[] =>
  readFixtureText(join(folder, file))
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(addressKey);
