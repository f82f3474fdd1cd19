import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { elapsedMs } from './clock.ts';
import { later } from './interval.ts';
import { stallSince } from './stall.ts';
import { areTiny } from './tiny-chunks.ts';

/**
 * A call ends after `timeoutMs`, or when `signal` aborts. Time in which this process was late itself does not count, up to
 * `MAX_OWN_DELAY_MS`.
 */
export interface CallLimit {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Default: the time in which this process stood still. */
  selfDelayMs?: () => number;
}

export class CallTimeout extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * CLOSED-WHILE-REUSED: a connection that had served other calls ended before any byte of an answer. The server may have
 * closed it before it got the call.
 */
export type CallFailureCode =
  | 'CLOSED-WHILE-REUSED'
  | 'ANSWER-CUT-OFF'
  | 'INTERIM-ANSWERS'
  | 'TINY-CHUNKS'
  | 'PROTOCOL-SWITCHED'
  | 'HANDSHAKE-FAILED-BEFORE'
  | 'HANDSHAKE-TOO-LONG-BEFORE';
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly code: CallFailureCode;
  constructor(code: CallFailureCode, cause?: Error) {
    super(code, { cause });
    this.code = code;
  }
}

/** RFC 9110, 15.2: any number of 1xx answers may come before the final one. */
export const MAX_INTERIM_ANSWERS = 16;

/** A call always ends, also in a process that is late all the time. */
const MAX_OWN_DELAY_MS = 30_000;

interface Received {
  message: IncomingMessage;
  bytes: Buffer;
  isTooLong: boolean;
}

/** Sends a request and gathers up to `most` bytes of its answer. `isReused`: its connection has served other calls. */
export function exchange(
  request: ClientRequest,
  body: string | undefined,
  limit: CallLimit,
  most: number,
  isReused: () => boolean,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    let isAnswering = false;
    let hasMessage = false;
    const fail = (reason: Error) => {
      release();
      reject(reason);
      request.destroy();
    };
    const succeed = (received: Received) => {
      release();
      resolve(received);
    };
    const release = whenOver(limit, fail);

    request.on('socket', (socket: Socket) => {
      if (isReused())
        socket.once('data', () => {
          isAnswering = true;
        });
    });
    request.on('information', () => {
      if (++interim > MAX_INTERIM_ANSWERS) fail(new CallFailure('INTERIM-ANSWERS'));
    });
    request.on('upgrade', (_, socket: Socket) => {
      socket.destroy();
      fail(new CallFailure('PROTOCOL-SWITCHED'));
    });
    request.on('response', message => {
      hasMessage = true;
      gather(message, most, succeed, fail);
    });
    request.on('error', error => {
      // The events of the message tell how it ends.
      if (hasMessage) return;
      const isStale = isReused() && !isAnswering;
      fail(isStale ? new CallFailure('CLOSED-WHILE-REUSED', error) : error);
    });
    request.end(body);
  });
}

/** What is left of a limit after `passedMs`, of which this process was late by `ownMs`. */
export const leftOf = (timeoutMs: number, ownMs: number, passedMs: number): number =>
  timeoutMs + Math.min(ownMs, MAX_OWN_DELAY_MS) - passedMs;

/** Calls `fail` when the time is up or the signal aborts. The returned function ends that. */
function whenOver({ timeoutMs, signal, selfDelayMs }: CallLimit, fail: (reason: Error) => void): () => void {
  const startedAt = elapsedMs();
  const giveUp = () => fail(signal!.reason);
  const timeIsUp = () => {
    const ownMs = selfDelayMs?.() ?? stallSince(startedAt);
    const left = leftOf(timeoutMs, ownMs, elapsedMs() - startedAt);
    if (left < 1) fail(new CallTimeout(`timeout of ${timeoutMs}ms exceeded`));
    else cancelTimeout = later(left, timeIsUp);
  };
  let cancelTimeout = later(timeoutMs, timeIsUp);
  signal?.addEventListener('abort', giveUp);
  return () => {
    cancelTimeout();
    signal?.removeEventListener('abort', giveUp);
  };
}

function gather(
  message: IncomingMessage,
  most: number,
  succeed: (received: Received) => void,
  fail: (reason: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (areTiny(chunks.length, size)) {
      fail(new CallFailure('TINY-CHUNKS'));
      return void message.destroy();
    }
    if (size <= most) return;
    succeed({ message, bytes: Buffer.alloc(0), isTooLong: true });
    message.destroy();
  });
  message.on('end', () => succeed({ message, bytes: Buffer.concat(chunks), isTooLong: false }));
  message.on('error', error => fail(new CallFailure('ANSWER-CUT-OFF', error)));
}
