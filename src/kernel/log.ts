import { type Logger, pino } from 'pino';

/**
 * Log lines carry ids, codes, durations and counts only. Bodies are never logged: they hold persons' data.
 * The masking below is the second net, for a field that slips in with an object.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

const MASKED = '[masked]';
const SECRET =
  /^(authorization.*|headers?|.*token|api-?key.*|.*seed|.*mnemonic|.*secret|private-?key|password)$/i;
const PERSONAL =
  /^(ivms101.*|payload|body|(originator|beneficiary)(persons)?|(natural|legal)person.*|.*names?|.*identifier|.*identification|.*birth|accountNumbers?)$/i;
const DEEPEST = 8;

/** At any depth. Of an error only what it says: libraries hang requests and their headers on it. */
function masked(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return MASKED;
  if (value instanceof Error) return { type: value.name, message: value.message, stack: value.stack };
  if (Array.isArray(value)) return value.map(element => masked(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET.test(name) || PERSONAL.test(name) ? MASKED : masked(member, depth + 1),
    ]),
  );
}

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = { level, base: null, serializers: { err: (value: unknown) => value } };
  return masking(destination ? pino(options, destination) : pino(options));
}

/** Not by pino's own formatters: those of a child leave its bindings out. */
function masking(logger: Logger): Log {
  const mask = (fields: object) => masked(fields) as object;
  return {
    debug: (fields, message) => logger.debug(mask(fields), message),
    info: (fields, message) => logger.info(mask(fields), message),
    warn: (fields, message) => logger.warn(mask(fields), message),
    error: (fields, message) => logger.error(mask(fields), message),
    child: fields => masking(logger.child(mask(fields))),
  };
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
