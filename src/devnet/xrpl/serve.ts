import { parseArgs } from 'node:util';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger, type XrplLedgerOptions } from './ledger.ts';

export const SERVE_USAGE = `robot-vasp ledger [options]
  --port <n>                 default 6006; 0: any free port
  --host <address>           default 127.0.0.1
  --network-id <n>           default ${XRPL_DEFAULTS.networkId}; above 1024 transactions must name it
  --close-interval <ms>      default ${XRPL_DEFAULTS.closeIntervalMs}; 0: only by ledger_accept
  --base-fee <drops>         default ${XRPL_DEFAULTS.baseFeeDrops}
  --reserve-base <drops>     default ${XRPL_DEFAULTS.reserveBaseDrops}
  --reserve-inc <drops>      default ${XRPL_DEFAULTS.reserveIncrementDrops}
  --database <file>          default: in memory
  --keep-ledgers <n>         default: all of them
  --admin-from-anywhere      ledger_accept and the like from any address
`;

/** The command line is not one of `SERVE_USAGE`; the message says what is wrong. */
export class WrongArgument extends Error {
  override readonly name = 'WrongArgument';
}

/** The options of the command line. Throws `WrongArgument`. */
export function readServeArguments(
  argv: readonly string[],
  world: { clock: Clock; log: Log },
): XrplLedgerOptions {
  const values = parse(argv);
  const keep = values['keep-ledgers'];
  return {
    ...world,
    listen: { host: values.host, port: whole('port', values.port, 65_535) },
    networkId: whole('network-id', values['network-id'], 0xffff_ffff),
    closeIntervalMs: whole('close-interval', values['close-interval'], 3_600_000),
    baseFeeDrops: BigInt(whole('base-fee', values['base-fee'], 1_000_000_000)),
    reserveBaseDrops: BigInt(whole('reserve-base', values['reserve-base'], 1e12)),
    reserveIncrementDrops: BigInt(whole('reserve-inc', values['reserve-inc'], 1e12)),
    databasePath: values.database,
    ...(keep === undefined ? {} : { keepLedgers: whole('keep-ledgers', keep, 0xffff_ffff, 1) }),
    adminFromAnywhere: values['admin-from-anywhere'],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    throw new WrongArgument((error as Error).message);
  }
}

const OPTIONS = {
  port: { type: 'string', default: '6006' },
  host: { type: 'string', default: '127.0.0.1' },
  'network-id': { type: 'string', default: String(XRPL_DEFAULTS.networkId) },
  'close-interval': { type: 'string', default: String(XRPL_DEFAULTS.closeIntervalMs) },
  'base-fee': { type: 'string', default: String(XRPL_DEFAULTS.baseFeeDrops) },
  'reserve-base': { type: 'string', default: String(XRPL_DEFAULTS.reserveBaseDrops) },
  'reserve-inc': { type: 'string', default: String(XRPL_DEFAULTS.reserveIncrementDrops) },
  database: { type: 'string', default: ':memory:' },
  'keep-ledgers': { type: 'string' },
  'admin-from-anywhere': { type: 'boolean', default: false },
} as const;

function whole(name: string, text: string, most: number, least = 0): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new WrongArgument(`--${name}: a whole number from ${least} to ${most}`);
  return value;
}

/** `robot-vasp ledger`: listens until the returned ledger is closed. `say` gets one line when it is ready. */
export async function serveXrplLedger(
  argv: readonly string[],
  world: { clock: Clock; log: Log; say: (line: string) => void },
): Promise<XrplLedger> {
  const options = readServeArguments(argv, world);
  const ledger = await startXrplLedger(options);
  world.say(`XRP Ledger ready at ${ledger.url} (network ${options.networkId})`);
  return ledger;
}
