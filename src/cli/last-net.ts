import type { Log } from '../kernel/log.ts';

interface Ending {
  log: Log;
  stop(): Promise<void>;
  isJson: boolean;
}

/** `EX_SOFTWARE` of sysexits.h */
const EXIT_CODE = 70;
const STOP_WITHIN_MS = 10_000;

/**
 * Catches what no other code has caught. A rejected promise and a failed connection or statement leave the state sound:
 * every change is one transaction. They are logged. After any other exception the program stops in order.
 */
export function lastNet({ log, stop, isJson }: Ending): void {
  const note = (error: unknown, text: string) => {
    try {
      log.error({ err: String(error), stack: (error as Error | undefined)?.stack }, text);
    } catch {
      // The log itself may be what fails, such as a closed pipe.
    }
  };
  process.on('unhandledRejection', reason => note(reason, 'unexpected failure; the program goes on'));
  process.on('uncaughtException', error => {
    if (isHarmless(error)) return note(error, 'unexpected failure; the program goes on');
    note(error, 'unexpected failure; the program stops');
    const message = `An unexpected failure ends the program (${error}). What it answered is stored. Start it again, and report the log.`;
    const line = isJson
      ? JSON.stringify({ code: 'UNEXPECTED-FAILURE', message })
      : `robot-vasp serve: ${message}`;
    process.stderr.write(`${line}\n`);
    const end = () => process.exit(EXIT_CODE);
    AbortSignal.timeout(STOP_WITHIN_MS).addEventListener('abort', end);
    stop().then(end, end);
  });
}

/** Errors of the operating system for one connection or file, and of one statement. */
function isHarmless(error: Error): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code.startsWith('SQLITE_');
}
