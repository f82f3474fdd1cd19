import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { elapsedMs, later } from './clock.ts';
import { stallSince } from './stall.ts';
import { readUtf8 } from './text-file.ts';
import { areTiny } from './turns.ts';

/**
 * A call ends after `timeoutMs`, or when `signal` aborts. Time in which this process was late itself does not count, up to
 * `MAX_OWN_DELAY_MS`.
 */
export interface CallLimit {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Default: the time in which this process stood still. */
  selfDelayMs?: () => number;
  /** Milliseconds of `elapsedMs`: two attempts have one limit. Default: now. */
  startedAt?: number;
}

class CallTimeout extends Error {
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
  | 'HANDSHAKE-TOO-LARGE'
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

/** The certificates of a usual server have 3 to 8 KiB. To check as many as OpenSSL takes lasts 0.7 s. */
export const MAX_HANDSHAKE_BYTES = 16 * 1024;

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
  maxBytes: number,
  isReused: () => boolean,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    let isAnswering = false;
    let answer: IncomingMessage | undefined;
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
      answer = message;
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (areTiny(chunks.length, size)) {
          fail(new CallFailure('TINY-CHUNKS'));
          return void message.destroy();
        }
        if (size <= maxBytes) return;
        succeed({ message, bytes: Buffer.alloc(0), isTooLong: true });
        message.destroy();
      });
      message.on('end', () => succeed({ message, bytes: Buffer.concat(chunks), isTooLong: false }));
      message.on('error', error => fail(new CallFailure('ANSWER-CUT-OFF', error)));
    });
    request.on('error', error => {
      // The events of the message tell how it ends, but not that it is no HTTP.
      if (answer && (answer.complete || !isNoHttp(error))) return;
      const isStale = isReused() && !isAnswering;
      fail(isStale ? new CallFailure('CLOSED-WHILE-REUSED', error) : error);
    });
    request.end(body);
  });
}

const isNoHttp = (error: Error): boolean => (error as NodeJS.ErrnoException).code?.startsWith('HPE_') ?? false;

/** What is left of a limit after `passedMs`, of which this process was late by `ownMs`. */
export const leftOf = (timeoutMs: number, ownMs: number, passedMs: number): number =>
  timeoutMs + Math.min(ownMs, MAX_OWN_DELAY_MS) - passedMs;

/** Calls `fail` when the time is up or the signal aborts. The returned function ends that. */
function whenOver(
  { timeoutMs, signal, selfDelayMs, startedAt = elapsedMs() }: CallLimit,
  fail: (reason: Error) => void,
): () => void {
  const giveUp = () => fail(signal!.reason);
  const timeIsUp = () => {
    const ownMs = selfDelayMs?.() ?? stallSince(startedAt);
    const left = leftOf(timeoutMs, ownMs, elapsedMs() - startedAt);
    if (left < 1) fail(new CallTimeout(`timeout of ${timeoutMs}ms exceeded`));
    else cancelTimeout = later(left, timeIsUp);
  };
  let cancelTimeout = later(startedAt + timeoutMs - elapsedMs(), timeIsUp);
  signal?.addEventListener('abort', giveUp);
  return () => {
    cancelTimeout();
    signal?.removeEventListener('abort', giveUp);
  };
}

export type AnswerProblemCode = 'TOO-LONG' | 'CODING-UNKNOWN' | 'CODING-BROKEN' | 'CHARSET-UNKNOWN' | 'NOT-UTF-8';

/** The reason why the body of an answer cannot be read. */
export interface AnswerProblem {
  code: AnswerProblemCode;
  /** After "The answer of the VASP". */
  text: string;
}

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const [asGzip, asZlib, asRaw, asBrotli] = [gunzip, inflate, inflateRaw, brotliDecompress].map(
  each => promisify(each as (bytes: Buffer, options: ZlibOptions, done: never) => void) as Decode,
) as [Decode, Decode, Decode, Decode];

/** RFC 9110, 8.4.1: `deflate` is zlib. Some servers send the bare deflate format. */
const asDeflate: Decode = (bytes, options) => (isZlib(bytes) ? asZlib : asRaw)(bytes, options);
const isZlib = (bytes: Buffer): boolean =>
  (bytes[0]! & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;

const DECODERS: Readonly<Record<string, Decode>> = { gzip: asGzip, 'x-gzip': asGzip, deflate: asDeflate, br: asBrotli };
const READ = 'gzip, deflate and br';
const MAX_CODINGS = 4;

export const tooLong = (maxBytes: number): AnswerProblem => ({
  code: 'TOO-LONG',
  text: `is longer than ${Math.floor(maxBytes / 1024)} KiB`,
});

/**
 * D-39: removes the content codings and reads UTF-8. `maxBytes`: after every step. With a problem the body is what of it is
 * readable.
 */
export async function readAnswer(
  raw: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<{ body: string; problem: AnswerProblem | undefined }> {
  const decoded = await decodeAll(raw, codingsOf(headers), maxBytes);
  if (!Buffer.isBuffer(decoded)) return { body: '', problem: decoded };
  const { text: body, problem } = readUtf8(decoded);
  const charset = charsetOf(headers['content-type']);
  if (charset !== undefined && !CONTAINS_ASCII.test(charset))
    return { body, problem: { code: 'CHARSET-UNKNOWN', text: `has the charset ${charset} and should be UTF-8` } };
  return { body, problem: problem === undefined ? undefined : { code: 'NOT-UTF-8', text: problem } };
}

async function decodeAll(raw: Buffer, codings: string[], maxBytes: number): Promise<Buffer | AnswerProblem> {
  const unknown = codings.find(coding => !(coding in DECODERS));
  if (unknown !== undefined) return unknownCoding(unknown);
  if (codings.length > MAX_CODINGS) return unknownCoding(codings.join(', '));
  let bytes = raw;
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) return bytes;
    try {
      bytes = await DECODERS[coding]!(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === 'ERR_BUFFER_TOO_LARGE') return tooLong(maxBytes);
      return { code: 'CODING-BROKEN', text: `says Content-Encoding: ${coding} and cannot be decoded (${message})` };
    }
  }
  return bytes;
}

const unknownCoding = (coding: string): AnswerProblem => ({
  code: 'CODING-UNKNOWN',
  text: `has the content coding ${coding.slice(0, 64)}, and only ${READ} are read`,
});

type ContentCoding = { 'content-encoding'?: string | undefined };

/** In the order in which they were applied. */
export const codingsOf = ({ 'content-encoding': text = '' }: ContentCoding): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && each !== 'identity');

/** In lower case. */
export const charsetOf = (contentType = ''): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]{1,64})/i.exec(contentType)?.[1]?.toLowerCase();

/** JSON has no charset parameter (RFC 8259, 11), so the bytes decide wherever ASCII is the same. */
const CONTAINS_ASCII =
  /^(utf-?8(mb4)?|(us-)?ascii|ansi.*|iso-?8859.*|latin.*|windows-?\d+|cp\d+|euc-?\w+|shift[-_]?jis|gb\w+|big5|koi8.*|ks_c.*)$/;

/**
 * RFC 9110, 10.2.3: whole seconds or an HTTP date, as milliseconds from now. Undefined: the header is missing, has another
 * form or names no later time.
 */
export function parseRetryAfter(headers: readonly (readonly [string, string])[]): number | undefined {
  const text = headers.find(([name]) => name === 'retry-after')?.[1].trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : IS_DATE.test(text) ? Date.parse(text) - Date.now() : 0;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` and its two old forms begin with a day. `Date.parse` takes much more. */
const IS_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;
