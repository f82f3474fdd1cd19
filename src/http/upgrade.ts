import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal, refusals } from '../contract/refusals.ts';
import type { Foreign, OwnHosts } from '../kernel/hosts.ts';
import type { Log } from '../kernel/log.ts';
import { type Answer, answerRefusal, rawAnswer } from './answer.ts';

/** Takes over the connection of a WebSocket handshake. A rejection means that nobody can serve it now. */
export type Upgrade<C> = (request: IncomingMessage, socket: Duplex, head: Buffer, caller?: C) => Promise<void>;
/** Throws `Refusal` for a caller who may not. `over` aborts when the caller may no longer read. */
export type AdmitUpgrade<C> = (request: IncomingMessage) => C & { over: AbortSignal };
/** By path, without a slash at the end. */
export type Upgrades<C> = ReadonlyMap<string, Upgrade<C>>;

const FOREIGN = {
  'no-host': refusals.noHost,
  'two-hosts': refusals.twoHosts,
  host: refusals.foreignHost,
  origin: refusals.foreignOrigin,
  'devnet-origin': refusals.foreignDevnetOrigin,
};
export const foreignAnswer = (foreign: Foreign): Answer => answerRefusal('sandbox', FOREIGN[foreign]());

/** The only listener of upgrades: every one ends in a handshake or in an answer. */
export const upgradeListener =
  <C>(upgrades: Upgrades<C>, hosts: OwnHosts, log: Log, admit?: AdmitUpgrade<C>) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const foreign = hosts.check(request);
    if (foreign) return refuse(socket, foreignAnswer(foreign));
    const admission = admitted(request, admit);
    if (admission instanceof Refusal) return refuse(socket, answerRefusal('sandbox', admission));
    if (admission) closeWhen(admission.over, socket);
    const [path = ''] = (request.url ?? '').split('?');
    const upgrade = upgrades.get(path.replace(/\/$/, ''));
    if (!upgrade) return refuse(socket, answerRefusal('sandbox', refusals.unknownPath()));
    const problem = handshakeProblem(request);
    if (problem) return refuse(socket, problem);
    upgrade(request, socket, head, admission).catch(error => {
      log.warn({ path, err: String(error) }, 'a WebSocket could not be served');
      refuse(socket, UNAVAILABLE);
    });
  };

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** RFC 6455, 4.2.1: what the library behind would refuse with a page. */
function handshakeProblem({ method, headers }: IncomingMessage): Answer | undefined {
  const problemOf = (header: string, problem: string) =>
    answerRefusal('sandbox', refusals.invalidField(header, problem));
  if (method !== 'GET')
    return { ...answerRefusal('sandbox', refusals.wrongMethod(['GET'])), headers: { allow: 'GET' } };
  if (!['8', '13'].includes(headers['sec-websocket-version'] ?? ''))
    return { ...problemOf('Sec-WebSocket-Version', 'should be 13'), headers: { 'sec-websocket-version': '13' } };
  if (!/^[+/\da-z]{22}==$/i.test(headers['sec-websocket-key'] ?? ''))
    return problemOf('Sec-WebSocket-Key', 'should be 16 bytes in Base64');
  const protocols = headers['sec-websocket-protocol']?.split(',').map(each => each.trim()) ?? [];
  if (!protocols.every(each => TOKEN.test(each)) || new Set(protocols).size < protocols.length)
    return problemOf('Sec-WebSocket-Protocol', 'should be a list of different names');
  return undefined;
}

/** The signal outlives the connections of its key, so it keeps none of those that have ended. */
function closeWhen(over: AbortSignal, socket: Duplex): void {
  const close = () => socket.destroy();
  over.addEventListener('abort', close);
  socket.once('close', () => over.removeEventListener('abort', close));
}

function admitted<A>(request: IncomingMessage, admit?: (request: IncomingMessage) => A): A | Refusal | undefined {
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
  headers: { 'retry-after': '5' },
};

const refuse = (socket: Duplex, answer: Answer): void => void socket.end(rawAnswer(answer));
