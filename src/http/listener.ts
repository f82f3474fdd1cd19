import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { CUT_OFF, STOPPING } from '../contract/errors.ts';
import { refusals } from '../contract/refusals.ts';
import { elapsedMs, firstWithin, later } from '../kernel/clock.ts';
import { type OwnHosts, plainHost } from '../kernel/hosts.ts';
import type { Log } from '../kernel/log.ts';
import { areTiny } from '../kernel/turns.ts';
import {
  type Answer,
  answerRefusal,
  answerUnavailable,
  lastHeaders,
  rawAnswer,
  responseHeadersOf,
  send,
} from './answer.ts';
import { MAX_BODY_BYTES } from './body.ts';
import type { Sender } from './caller.ts';
import { fairTurns, heldBodies, type Incoming, type InTurn, type Listener, unreadAnswers } from './server.ts';
import { type AdmitUpgrade, foreignAnswer, type Upgrades, upgradeListener } from './upgrade.ts';

export interface Served<C = unknown> {
  fetch: Hono['fetch'];
  upgrades: Upgrades<C>;
  admitUpgrade?: AdmitUpgrade<C> | undefined;
  /** The most bytes of the body of this request. Default: `MAX_BODY_BYTES`. */
  maxBytes?: ((request: IncomingMessage) => number | undefined) | undefined;
  /** Undefined: everybody is served at once. */
  senderOf?: ((request: IncomingMessage) => Sender | undefined) | undefined;
  /** Default: an order of its own. */
  inTurn?: InTurn | undefined;
  /** Hears of each request that is refused here. `answer` undefined: it did not arrive completely. */
  noteRefused?: ((request: Incoming, answer?: Answer) => void) | undefined;
}

export interface StoppableListener extends Listener {
  /** Begins no more requests. Resolves when all have ended; those that last longer than `ms` are cut off. */
  end(ms: number): Promise<void>;
}

/** The most requests of one connection that wait for their answers. */
export const MAX_PIPELINED = 8;
/** More of them cost too much to be read: the connection is cut off without an answer. */
export const MAX_UNANSWERED = 200;
/** A refused sender gets this long to read the answer before the connection is closed. */
const DRAIN_MS = 2_000;
const DRAIN_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = answerRefusal('sandbox', refusals.tooLarge(MAX_BODY_BYTES));
const TINY_CHUNKS = answerRefusal('sandbox', refusals.tinyChunks());
const PIPELINED = answerRefusal('sandbox', refusals.pipelined(MAX_PIPELINED));
const STOPS = answerUnavailable(STOPPING);
const HAS_CUT_OFF = answerUnavailable(CUT_OFF);
const UNREAD = answerRefusal('sandbox', refusals.unread());
/** Callers without a limit of their own. */
const EVERYBODY = '';
const BAD_TARGET = answerRefusal('sandbox', refusals.badTarget());

/** The one way from the network into the program: it checks who asks, reads the body, and handles upgrades. */
export function createListener<C>(
  { fetch, upgrades, admitUpgrade, maxBytes, senderOf, inTurn = fairTurns(), noteRefused = () => {} }: Served<C>,
  hosts: OwnHosts,
  log: Log,
): StoppableListener {
  const running = runningRequests((request, response) => refuse(request, response, HAS_CUT_OFF));
  const unlessCutOff = async (...[request, env]: Parameters<typeof fetch>) => {
    const answer = await fetch(request, env);
    return (env as HttpBindings).outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
  };
  // Only the target of a request can fail before `fetch`.
  const answer = getRequestListener(unlessCutOff, { hostname: 'localhost', errorHandler: () => send(BAD_TARGET) });
  const held = heldRefusals(elapsedMs);
  const answers = unreadAnswers();
  const placeOf = pipelining();
  const bodies = heldBodies();
  const upgrade = upgradeListener(upgrades, hosts, log, admitUpgrade);

  /** A sender over its limit is refused. False: it gets its answer later. */
  function mayPass(request: Incoming, response: ServerResponse, sender: Sender | undefined): boolean {
    if (!sender?.refusal) return true;
    const answer = answerRefusal('sandbox', sender.refusal);
    noteRefused(request, answer);
    held.answer(request, response, sender.owner, answer);
    return false;
  }

  /** The requests of others take turns. */
  function pass(request: Incoming, response: ServerResponse, sender: Sender | undefined): void {
    if (!sender) return serveOwner(request, response, EVERYBODY);
    const since = elapsedMs();
    request.nextTurn = () => new Promise(resolve => inTurn(sender.owner, resolve));
    // Other requests of the same sender may have reached the limit in the meantime.
    const leave = inTurn(sender.owner, () => {
      request.waitedMs = elapsedMs() - since;
      if (mayPass(request, response, senderOf?.(request))) serveOwner(request, response, sender.owner);
    });
    // Nobody waits for the answer any more: without this, who hangs up at once fills the memory.
    response.once('close', leave);
  }

  function serveOwner(request: Incoming, response: ServerResponse, owner: string): void {
    if (!answers.mayAsk(owner)) {
      noteRefused(request, UNREAD);
      return held.answer(request, response, owner, UNREAD);
    }
    answers.begin(response, owner);
    if (!response.headersSent) void answer(request, response);
  }

  function refused(request: Incoming, response: ServerResponse, answer: Answer): void {
    noteRefused(request, answer);
    refuse(request, response, answer);
  }

  return {
    request(request, response) {
      const place = placeOf(request, response, () => begin(request, response));
      if (place !== 'too many') return;
      noteRefused(request, PIPELINED);
      answerOut(response, PIPELINED, { connection: 'close' });
    },
    upgrade(request, socket, head) {
      if (running.mayBegin()) upgrade(request, socket, head);
      else socket.end(rawAnswer(STOPS));
    },
    end: running.end,
  };

  function begin(request: Incoming, response: ServerResponse): void {
    if (!running.mayBegin()) return refuse(request, response, STOPS);
    running.begin(request, response);
    const foreign = hosts.check(request);
    if (foreign) return refused(request, response, foreignAnswer(foreign));
    if (request.headers.host) request.headers.host = plainHost(request.headers.host);
    const sender = senderOf?.(request);
    if (!mayPass(request, response, sender)) return;
    if (!hasBody(request)) return pass(request, response, sender);
    bodies.begin(response, sender?.owner ?? EVERYBODY);
    const onBytes = (bytes: number) => bodies.add(response, bytes);
    readBody(request, response, maxBytes?.(request) ?? MAX_BODY_BYTES, onBytes).then(
      body => {
        if (!Buffer.isBuffer(body)) return refused(request, response, body);
        request.rawBody = body;
        return pass(request, response, sender);
      },
      () => {
        noteRefused(request);
        response.destroy();
      },
    );
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The only reader of request bodies. An answer: it is refused. Rejects when the connection breaks. */
function readBody(
  request: Incoming,
  response: ServerResponse,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer | Answer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(TOO_LARGE);
  if (request.awaitsContinue) response.writeContinue();
  request.awaitsContinue = false;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      onBytes(chunk.length);
      chunks.push(chunk);
      const isTiny = areTiny(chunks.length, size);
      if (size <= maxBytes && !isTiny) return;
      chunks.length = 0;
      request.removeAllListeners('data').pause();
      resolve(isTiny ? TINY_CHUNKS : TOO_LARGE);
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.readableEnded) reject(new Error('the connection was closed'));
    });
  });
}

/** Answers at once and reads the rest of the body, so that the sender sees the answer and no reset connection. */
function refuse(request: Incoming, response: ServerResponse, answer: Answer): void {
  const { status, text } = answer;
  if (response.headersSent) return;
  response.writeHead(status, lastHeaders(answer));
  response.on('error', () => response.destroy());
  if (request.complete || request.awaitsContinue || !hasBody(request)) return void response.end(text);
  response.write(text);
  let size = 0;
  let parts = 0;
  const end = () => void response.end();
  AbortSignal.timeout(DRAIN_MS).addEventListener('abort', end);
  request.on('error', end).on('end', end).on('close', end);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAIN_BYTES || areTiny(++parts, size)) end();
  });
  request.resume();
}

/** A request that is cut off gets this long to take its answer. */
const ANSWERED_WITHIN_MS = 500;

/** The requests that have begun and have not ended. */
export function runningRequests(cutOff: (request: Incoming, response: ServerResponse) => void) {
  const running = new Map<ServerResponse, Incoming>();
  let mayBegin = true;
  const ended = () =>
    Promise.all([...running.keys()].map(response => new Promise(resolve => response.once('close', resolve))));
  return {
    /** False: the program stops, so no request begins any more. */
    mayBegin: () => mayBegin,
    begin(request: Incoming, response: ServerResponse): void {
      running.set(response, request);
      response.once('close', () => running.delete(response));
    },
    /** No request begins from now on. Resolves when all have ended; those that last longer than `ms` are cut off. */
    async end(ms: number): Promise<void> {
      mayBegin = false;
      await firstWithin(ms, [ended()]);
      for (const [response, request] of running) cutOff(request, response);
      await firstWithin(ANSWERED_WITHIN_MS, [ended()]);
    },
  };
}

type Place = 'free' | 'too many' | 'closing';

/**
 * A request begins when the answers before it on its connection are read, so that a connection holds one answer. Once too
 * many wait, the connection is to be closed, and nothing more of it is read.
 */
function pipelining() {
  const connections = new WeakMap<Socket, { waiting: number; last?: ServerResponse }>();
  return ({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): Place => {
    const state = connections.get(socket) ?? { waiting: 0 };
    connections.set(socket, state);
    const { last } = state;
    state.waiting++;
    if (state.waiting > MAX_UNANSWERED) socket.destroy();
    if (state.waiting > MAX_PIPELINED + 1) return 'closing';
    if (state.waiting > MAX_PIPELINED) {
      socket.pause();
      return 'too many';
    }
    response.once('close', () => state.waiting--);
    state.last = response;
    if (!last || last.destroyed) begin();
    else last.once('close', () => socket.destroyed || begin());
    return 'free';
  };
}

const LIMITS = {
  minMs: 250,
  maxMs: 1_000,
  /** Between two answers to one owner. */
  apartMs: 20,
  /** More are not held: their connection is closed with the answer. */
  maxPerOwner: 256,
  maxHeld: 2_000,
};
export type HoldLimits = typeof LIMITS;

interface Owner {
  held: number;
  /** Its last answer goes out then, on the clock of `now`. */
  lastAt: number;
}

/**
 * The answers to a sender that goes on after its limit: later and later, so that it cannot spend the time of others.
 * `now`: monotonic milliseconds.
 */
export function heldRefusals(now: () => number, limits = LIMITS) {
  const owners = new Map<string, Owner>();
  let held = 0;

  /** Milliseconds to wait. Undefined: there is no room. */
  function hold(name: string): number | undefined {
    const owner = owners.get(name) ?? { held: 0, lastAt: 0 };
    if (owner.held >= limits.maxPerOwner || held >= limits.maxHeld) return undefined;
    const earliest = now() + limits.minMs;
    owner.lastAt = Math.min(Math.max(earliest, owner.lastAt + limits.apartMs), now() + limits.maxMs);
    owner.held++;
    held++;
    owners.set(name, owner);
    return owner.lastAt - now();
  }

  function release(name: string): void {
    const owner = owners.get(name)!;
    held--;
    owner.held--;
    if (owner.held === 0) owners.delete(name);
  }

  return {
    /** `owner`: the sender, over all of its connections. */
    answer(request: IncomingMessage, response: ServerResponse, owner: string, answer: Answer): void {
      const waitMs = hold(owner);
      if (waitMs === undefined) return answerOut(response, answer, { connection: 'close' });
      const { socket } = request;
      // A client that sends on without an answer waits with that too.
      socket.pause();
      const stop = later(waitMs, () => {
        answerOut(response, answer);
        socket.resume();
      });
      response.once('close', () => {
        stop();
        release(owner);
      });
    },
  };
}

function answerOut(response: ServerResponse, answer: Answer, more: Record<string, string> = {}): void {
  // The connection broke in the meantime, and was answered.
  if (response.headersSent) return;
  response.on('error', () => response.destroy());
  response.writeHead(answer.status, {
    ...responseHeadersOf(answer),
    'content-length': Buffer.byteLength(answer.text),
    ...more,
  });
  response.end(answer.text);
}
