import { pino } from 'pino';

/**
 * Log lines carry ids, codes, durations and counts only. Bodies are never logged: they hold persons' data.
 * The redaction below is the second net, for a field that slips in with an object.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

const SECRET_KEYS = [
  'authorization',
  'token',
  'apiKey',
  'seed',
  'mnemonic',
  'secret',
  'privateKey',
  'ivms101',
  'payload',
  'originator',
  'beneficiary',
  'nameIdentifier',
  'name',
  'names',
];

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const paths = SECRET_KEYS.flatMap(key => [key, `*.${key}`, `*.*.${key}`]);
  const options = { level, base: null, redact: { paths, censor: '[masked]' } };
  return destination ? pino(options, destination) : pino(options);
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
