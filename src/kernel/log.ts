import { type Logger, pino } from 'pino';
import { cutText, withInvisible } from './text.ts';

/**
 * Log lines carry ids, codes, durations and counts only. Bodies are never logged: they hold persons' data.
 * Masking is a second protection, for a field that is logged by mistake.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

const MASKED = '[masked]';
const SECRET = /^(authorization.*|headers?|.*token|api-?key.*|.*seed|.*mnemonic|.*secret|private-?key|password)$/i;
const PERSONAL =
  /^(ivms101.*|payload|body|(originator|beneficiary)(persons)?|(natural|legal)person.*|.*names?|.*identifier|.*identification|.*birth|accountNumbers?)$/i;
const DEEPEST = 8;

/** D-51: an error quotes texts of others. */
const readable = (text: string): string => cutText(text).split('\n').map(withInvisible).join('\n');

/** Masks at any depth. Keeps of an error only its texts: libraries attach requests and their headers to errors. */
function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return readable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return MASKED;
  if (value instanceof Error)
    return { type: value.name, message: readable(value.message), stack: value.stack && readable(value.stack) };
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
  return masking(pino(options, destination ?? standardOutput()));
}

const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Lines that a full disk or a stuck reader does not take wait for the next line, up to a most. In the asynchronous mode of
 * the library the end of the process waits for them, for ever.
 */
function standardOutput() {
  const settings = { dest: 1, sync: true, maxLength: MAX_UNWRITTEN_BYTES, retryEAGAIN: () => false };
  return pino.destination(settings).on('error', () => {});
}

/** Masks before pino: the formatters of pino do not see the bindings of a child. */
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

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };
