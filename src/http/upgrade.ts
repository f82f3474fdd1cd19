import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal, refusals } from '../contract/refusals.ts';
import type { Log } from '../kernel/log.ts';
import type { Foreign, OwnHosts } from '../kernel/own-hosts.ts';
import type { Turns } from '../kernel/turns.ts';
import { type Answer, answerRefusal } from './answer.ts';

/** Takes over the connection of a WebSocket handshake. A rejection means that nobody can serve it now. */
export type Upgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  caller?: UpgradeCaller,
) => Promise<void>;
interface UpgradeCaller {
  access: 'everything' | 'reading and sending';
  owner: string;
  /** Of its frames. */
  turns: Turns;
  /** As in `DevnetCaller`. */
  spend(load: { gas: number; bytes: number }): void;
}
interface Admitted extends UpgradeCaller {
  /** Aborts when the caller may no longer read. */
  over: AbortSignal;
}
/** Hosted mode: throws `Refusal` for a caller without a key. */
export type AdmitUpgrade = (request: IncomingMessage) => Admitted;
/** By path, without a slash at the end. */
export type Upgrades = ReadonlyMap<string, Upgrade>;

const FOREIGN = {
  'no-host': refusals.noHost,
  'two-hosts': refusals.twoHosts,
  host: refusals.foreignHost,
  origin: refusals.foreignOrigin,
};
export const foreignAnswer = (foreign: Foreign): Answer => answerRefusal('sandbox', FOREIGN[foreign]());

/** The only listener of upgrades: every one ends in a handshake or in an answer. */
export const upgradeListener =
  (upgrades: Upgrades, hosts: OwnHosts, log: Log, admit?: AdmitUpgrade) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const foreign = hosts.check(request);
    if (foreign) return refuse(socket, foreignAnswer(foreign));
    const admission = admitted(request, admit);
    if (admission instanceof Refusal) return refuse(socket, answerRefusal('sandbox', admission));
    if (admission) closeWhen(admission.over, socket);
    const [path = ''] = (request.url ?? '').split('?');
    const upgrade = upgrades.get(path.replace(/\/$/, ''));
    if (!upgrade) return refuse(socket, answerRefusal('sandbox', refusals.unknownPath()));
    upgrade(request, socket, head, admission).catch(error => {
      log.warn({ path, err: String(error) }, 'a WebSocket could not be served');
      refuse(socket, UNAVAILABLE, { 'retry-after': '5' });
    });
  };

/** The signal outlives the connections of its key, so it keeps none of those that have ended. */
function closeWhen(over: AbortSignal, socket: Duplex): void {
  const close = () => socket.destroy();
  over.addEventListener('abort', close);
  socket.once('close', () => over.removeEventListener('abort', close));
}

function admitted(request: IncomingMessage, admit?: AdmitUpgrade): Admitted | Refusal | undefined {
  try {
    return admit?.(request);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const UNAVAILABLE: Answer = {
  status: 503,
  text: JSON.stringify({ code: 'CHAIN-UNAVAILABLE', message: 'The chain does not run. See /readyz.' }),
};

function refuse(
  socket: Duplex,
  { status, text, headers: own }: Answer,
  more: Record<string, string> = {},
): void {
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
    ...own,
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
