import type { parseArgs } from 'node:util';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger, type XrplLedgerOptions } from './ledger.ts';

/** Options of the command line for `parseArgs`. `value` and `meaning` are for its help. */
export const SERVE_OPTIONS = {
  port: { type: 'string', value: '<n>', meaning: 'where it listens; 0: any free port', default: '6006' },
  host: { type: 'string', value: '<address>', meaning: 'where it listens', default: '127.0.0.1' },
  'network-id': {
    type: 'string',
    value: '<n>',
    meaning: 'above 1024 every transaction must carry it',
    default: String(XRPL_DEFAULTS.networkId),
  },
  'close-interval': {
    type: 'string',
    value: '<ms>',
    meaning: 'between two ledgers, five times as long without submissions; 0: only by ledger_accept',
    default: String(XRPL_DEFAULTS.closeIntervalMs),
  },
  'base-fee': {
    type: 'string',
    value: '<drops>',
    meaning: 'of a transaction',
    default: String(XRPL_DEFAULTS.fees.base),
  },
  'reserve-base': {
    type: 'string',
    value: '<drops>',
    meaning: 'that an account has to keep',
    default: String(XRPL_DEFAULTS.fees.reserveBase),
  },
  'reserve-inc': {
    type: 'string',
    value: '<drops>',
    meaning: 'for each object that it owns',
    default: String(XRPL_DEFAULTS.fees.reserveIncrement),
  },
  database: { type: 'string', value: '<file>', meaning: 'where it is kept', default: ':memory:' },
  'keep-ledgers': { type: 'string', value: '<n>', meaning: 'number of newest ledgers to keep (default: all)' },
  'admin-from-anywhere': {
    type: 'boolean',
    default: false,
    meaning: 'allow ledger_accept and other admin commands from any address',
  },
} as const;

/** A value does not fit its option. The message names the option. */
export class WrongArgument extends Error {
  override readonly name = 'WrongArgument';
}

type Values = ReturnType<typeof parseArgs<{ options: typeof SERVE_OPTIONS }>>['values'];

function optionsOf(values: Values, world: { clock: Clock; log: Log }): XrplLedgerOptions {
  const keep = values['keep-ledgers'];
  return {
    ...world,
    listen: { host: values.host, port: whole('port', values.port, 65_535) },
    networkId: whole('network-id', values['network-id'], 0xffff_ffff),
    closeIntervalMs: whole('close-interval', values['close-interval'], 3_600_000),
    fees: {
      base: BigInt(whole('base-fee', values['base-fee'], 1_000_000_000)),
      reserveBase: BigInt(whole('reserve-base', values['reserve-base'], 1e12)),
      reserveIncrement: BigInt(whole('reserve-inc', values['reserve-inc'], 1e12)),
    },
    databasePath: values.database,
    ...(keep === undefined ? {} : { keepLedgers: whole('keep-ledgers', keep, 0xffff_ffff, 1) }),
    adminFromAnywhere: values['admin-from-anywhere'],
  };
}

function whole(name: string, text: string, max: number, min = 0): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new WrongArgument(`--${name}: must be a whole number from ${min} to ${max}`);
  return value;
}

/** `robot-vasp ledger`: listens until closed. Throws `WrongArgument`. */
export async function serveXrplLedger(
  values: Values,
  world: { clock: Clock; log: Log },
): Promise<{ url: string | undefined; networkId: number; close: XrplLedger['close'] }> {
  const options = optionsOf(values, world);
  const { url, close } = await startXrplLedger(options);
  return { url, networkId: options.networkId, close };
}
