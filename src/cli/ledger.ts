import { startXrplLedger, XRPL_DEFAULTS, type XrplLedgerOptions } from '../devnet/xrpl/ledger.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog } from '../kernel/log.ts';
import { type Call, command, Failure, wrongUsage } from './command.ts';
import { cannotListen } from './connection.ts';
import { cannotOpen, requireFile, requireWritable } from './input.ts';
import { whenStopped } from './output.ts';

const { networkId, closeIntervalMs, fees } = XRPL_DEFAULTS;
const OPTIONS = {
  port: { value: '<n>', meaning: 'where it listens; 0: any free port', default: '6006' },
  host: { value: '<address>', meaning: 'where it listens', default: '127.0.0.1' },
  'network-id': { value: '<n>', meaning: 'above 1024 every transaction must carry it', default: String(networkId) },
  'close-interval': {
    value: '<ms>',
    meaning: 'between two ledgers, five times as long without submissions; 0: only by ledger_accept',
    default: String(closeIntervalMs),
  },
  'base-fee': { value: '<drops>', meaning: 'of a transaction', default: String(fees.base) },
  'reserve-base': { value: '<drops>', meaning: 'that an account has to keep', default: String(fees.reserveBase) },
  'reserve-inc': { value: '<drops>', meaning: 'for each object that it owns', default: String(fees.reserveIncrement) },
  database: { value: '<file>', meaning: 'where it is kept', default: ':memory:' },
  'keep-ledgers': { value: '<n>', meaning: 'number of newest ledgers to keep (default: all)' },
  'admin-from-anywhere': { meaning: 'allow ledger_accept and other admin commands from any address' },
} as const;

const ledger = command({
  summary: 'starts only the embedded XRP Ledger and runs until Ctrl-C',
  details: 'WebSocket and JSON-RPC share one port. `POST /accounts` is the faucet.',
  options: OPTIONS,
  exits: { 0: 'stopped', 1: 'it could not start, see the message' },
  examples: ['robot-vasp ledger --port 6006 --network-id 21117'],
  async run({ values, print }) {
    const { database } = values;
    requireFile(database);
    if (database !== ':memory:') await requireWritable(database, `--database: ${database}`);
    const options = optionsOf(values);
    const { url, close } = await startXrplLedger(options)
      .catch(cannotOpen(database))
      .catch(cannotListen({ port: '--port', host: '--host' }))
      .catch(refused);
    const { networkId } = options;
    print(`XRP Ledger ready at ${url} (network ${networkId})`, { event: 'ready', url, networkId });
    whenStopped(close);
    return undefined;
  },
});
export const commands = { ledger };

function optionsOf(values: Call<typeof OPTIONS>['values']): XrplLedgerOptions {
  const keep = values['keep-ledgers'];
  return {
    clock: systemClock,
    log: createLog('warn', process.stderr),
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
  if (!(value >= min && value <= max)) throw wrongUsage(`--${name}: must be a whole number from ${min} to ${max}`);
  return value;
}

function refused(error: Error): never {
  throw error instanceof Failure ? error : new Failure(1, 'NOT-STARTED', error.message);
}
