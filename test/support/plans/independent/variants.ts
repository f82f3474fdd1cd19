import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Any } from './judge.ts';

/** What the reference leaves to each VASP. */
const CHOICES = [
  'needs a network',
  'knows the XRP Ledger as XRPL',
  'compares ETH addresses with their case',
  'refuses stale and senseless prices',
  'takes no deposit of more than 100 coins',
  'compares only the legal name',
  'verifies the account before every user verification',
  'reports again after a lost answer',
  'asks again after a lost answer',
  'reports once a block holds the payment',
  'raises the fee of a payment that waits',
  'sends a payment again that has failed',
  'ends a denied withdrawal with an error report',
  'asks back about every report',
  'asks about reported payments, too',
  'works on one withdrawal at a time',
  'refuses reports while its node fails',
  'pays when its node estimates again',
  'sends again when the answer of its node is lost',
  'sends a payment without a tag back',
] as const;
export type Choice = (typeof CHOICES)[number];

/** How an independent VASP that keeps every rule may differ from another one. */
export interface Variant {
  /** Changes what it sends to its enclave. */
  asks?(path: string, body: Any): Any;
  /** Changes what it answers with 200. */
  answers?(path: string, body: Any): Any;
  /** Writes an answer. Default: one piece of JSON with its length. */
  write?(response: ServerResponse, answer: { status: number; text: string; path: string }): void;
  /** Before each answer. */
  pauseMs?: number;
  /** Headers of its requests, besides the usual ones. */
  headers?: Record<string, string>;
  /** Between VERIFIED and its payment. */
  payPauseMs?: number;
  /** It ends a withdrawal by an error report when no result has come within this time. */
  givesUpMs?: number;
  /** It looks at its payments this often. Default: always. */
  creditsEveryMs?: number;
  /** It sees a payment of ETH when this many blocks hold it. */
  confirmations?: number;
  /** Its driver endpoint answers after this time. */
  driverPauseMs?: number;
  /** Its status becomes CANCELED this long after its error report. */
  cancelsAfterMs?: number;
  /** Its timers follow the clock of the sandbox, and its driver says so. */
  sandboxClock?: true;
  /** A person decides so. */
  paysAfterHigh?: true;
  chooses?: Choice;
}

/** Applies a change to every object in a body, the inner ones first. */
function everywhere(body: Any, change: (object: Any) => Any): Any {
  if (Array.isArray(body)) return body.map(each => everywhere(each, change));
  if (typeof body !== 'object' || body === null) return body;
  return change(Object.fromEntries(Object.entries(body).map(([name, value]) => [name, everywhere(value, change)])));
}
const both = (change: (object: Any) => Any) => ({
  asks: (_: string, body: Any) => everywhere(body, change),
  answers: (path: string, body: Any) => (path === '/driver' ? body : everywhere(body, change)),
});
const ofNames = (change: (name: Any, isNatural: boolean) => Any) =>
  both(object => (object.nameIdentifier ? change(object, !object.nameIdentifier[0].legalPersonName) : object));
const ofMember = (member: string, change: (value: Any) => Any): Variant =>
  both(object => (object[member] === undefined ? object : { ...object, [member]: change(object[member]) }));

const without =
  (...members: string[]) =>
  (body: Any) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
const nativeCase = (hash: string): string =>
  hash.startsWith('0x') ? `0x${hash.slice(2).toUpperCase()}` : hash.toLowerCase();
const DECIMALS: Record<string, number> = { ETH: 18, XRP: 6 };
/** As many as the asset has decimals, and no more. */
function withZeros(amount: string, symbol: string): string {
  const [whole, fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(DECIMALS[symbol] ?? 1, '0')}`;
}
const withZeroTime = (time: string): string => time.replace(/Z$/, '+00:00');

const PIECES = 3;
const head = { 'content-type': 'application/json' };

export const VARIANTS = {
  ...(Object.fromEntries(CHOICES.map(chooses => [chooses, { chooses }])) as Record<Choice, Variant>),
  'answers slowly, and in time': { pauseMs: 600 },
  'orders members the other way round': both(object => Object.fromEntries(Object.entries(object).reverse())),
  'adds members': {
    asks: (_, body) => ({ ...body, traceId: 'a-1', meta: { version: 3 } }),
    answers: (_, body) => ({ ...body, traceId: 'a-1', meta: { version: 3, tags: [null, true] } }),
  },
  'keeps no connection': {
    headers: { connection: 'close' },
    write: (response, { status, text }) => response.writeHead(status, { ...head, connection: 'close' }).end(text),
  },
  'answers in chunks': {
    write(response, { status, text }) {
      response.writeHead(status, { ...head, 'transfer-encoding': 'chunked' });
      const size = Math.ceil(text.length / PIECES);
      for (let at = 0; at < text.length; at += size) response.write(text.slice(at, at + size));
      response.end();
    },
  },
  'compresses answers': {
    write: (response, { status, text }) =>
      response.writeHead(status, { ...head, 'content-encoding': 'gzip' }).end(gzipSync(text)),
  },
  'indents its JSON and names the character set': {
    write: (response, { status, text }) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' })
        .end(`\r\n${JSON.stringify(JSON.parse(text), null, '\t')}\r\n`),
  },
  'escapes what is not ASCII': {
    write: (response, { status, text }) =>
      response
        .writeHead(status, head)
        .end(text.replace(/[^ -~]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)),
  },
  'answers callbacks with an empty body': {
    write: (response, { status, text, path }) =>
      path === '/callback' && status === 200
        ? response.writeHead(200, { 'content-length': 0 }).end()
        : response.writeHead(status, head).end(text),
  },
  'answers callbacks with plain text': {
    write: (response, { status, text, path }) =>
      path === '/callback' && status === 200
        ? response.writeHead(200, { 'content-type': 'text/plain' }).end('OK')
        : response.writeHead(status, head).end(text),
  },
  'writes hashes in the other case': ofMember('txHash', nativeCase),
  'writes verification ids in upper case': ofMember('verificationUuid', uuid => uuid.toUpperCase()),
  'writes zeros at the end of amounts': {
    ...both(object => (object.amount ? { ...object, amount: withZeros(object.amount, object.symbol) } : object)),
    answers: (_, body) => (body.value === undefined ? body : { ...body, value: withZeros(body.value, 'XRP') }),
  },
  'writes times with an offset': both(object =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        /^(verifiedAt|tradeISODatetime)$/.test(name) ? withZeroTime(value as string) : value,
      ]),
    ),
  ),
  'puts local names first': {
    asks: ofNames(name => ({
      localNameIdentifier: name.nameIdentifier,
      phoneticNameIdentifier: [],
      nameIdentifier: name.nameIdentifier,
    })).asks,
  },
  'has several names of a person': ofNames((name, isNatural) => {
    const [legal] = name.nameIdentifier;
    const other = isNatural
      ? { primaryIdentifier: 'Alias', secondaryIdentifier: 'Known', nameIdentifierType: 'ALIA' }
      : { legalPersonName: 'Trading Name', legalPersonNameIdentifierType: 'TRAD' };
    return { ...name, nameIdentifier: [other, legal] };
  }),
  'writes a whole name into primaryIdentifier': ofNames((name, isNatural) => {
    if (!isNatural) return name;
    const [{ primaryIdentifier, secondaryIdentifier, nameIdentifierType }] = name.nameIdentifier;
    const whole = `${primaryIdentifier} ${secondaryIdentifier}`;
    return { ...name, nameIdentifier: [{ primaryIdentifier: whole, nameIdentifierType }] };
  }),
  'leaves the network out': { asks: (_, body) => everywhere(body, without('network')) },
  'leaves out optional members of answers': {
    answers: (path, body) =>
      path === '/user' || path === '/account' ? (body.message ? body : without('message')(body)) : body,
  },
  'answers empty members': {
    answers: (path, body) => (path === '/account' ? { message: '', reason: 'OK', ...body } : body),
  },
  'pays after a pause': { payPauseMs: 1_500 },
  'gives up after a time-out of its own': { givesUpMs: 6_000 },
  'credits in batches': { creditsEveryMs: 1_500 },
  'answers its driver slowly': { driverPauseMs: 1_200 },
  'has a gateway that answers errors with a page': {
    write(response, { status, text }) {
      if (status < 400) return void response.writeHead(status, head).end(text);
      const page = '<!DOCTYPE html><script src="/static/main.js"></script><h1>Something went wrong</h1>';
      response.writeHead(status, { 'content-type': 'text/html' }).end(page);
    },
  },
  'takes its time from the sandbox': { sandboxClock: true },
  'cancels in two steps': { cancelsAfterMs: 1_200 },
  'ends every connection as HTTP/1.0 does': {
    write(response, { status, text }) {
      response.useChunkedEncodingByDefault = false;
      response.removeHeader('content-length');
      response.shouldKeepAlive = false;
      response.writeHead(status, head);
      response.end(text);
    },
  },
} as const satisfies Record<string, Variant>;
export type VariantName = keyof typeof VARIANTS;

export const paused = ({ pauseMs = 0 }: Variant): Promise<unknown> =>
  pauseMs > 0 ? delay(pauseMs) : Promise.resolve();
