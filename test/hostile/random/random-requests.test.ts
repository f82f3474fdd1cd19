import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ApiDocument,
  type DocumentCheck,
  documentCheck,
  loadDocument,
} from '../../support/http/document-check.ts';
import { handshake, requestHead, sendRaw } from '../../support/http/raw-socket.ts';
import { type Serving, serving } from '../../support/process/serving.ts';
import { until } from '../../support/until.ts';

/** Random requests of every kind. The seed of a run repeats it. */

const REQUESTS = Number(process.env.HOSTILE_REQUESTS || 100_000);
const SEED = Number(process.env.HOSTILE_SEED || 1 + (Date.now() % 1_000_000));
const AT_ONCE = 16;
/** Megabytes beyond the memory after the first tenth. */
const MOST_GROWTH = 150;

let program: Serving;
let document: ApiDocument;
let check: DocumentCheck;
beforeAll(async () => {
  program = await serving({ XRPL_CLOSE_INTERVAL: '100ms', LOG_LEVEL: 'silent' });
  await until(async () => (await fetch(`${program.url}/readyz`)).status === 200);
  document = await loadDocument(program.url);
  check = documentCheck(document);
});
afterAll(() => program.stop());

let state = SEED >>> 0;
/** mulberry32 */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const below = (most: number): number => Math.floor(random() * most);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  '__proto__',
  'constructor',
  '../..',
  '%00',
  '\u0000',
  '\ud800',
  '😀',
  "';--",
  '<script>',
  '8557f2b2-985e-431f-8d52-75c2e5a01e46',
  'ETH',
  'XRP',
  'a'.repeat(5_000),
];
const NUMBERS = [0, -1, 0.5, 1e21, 2 ** 53, 4_294_967_296, Number.MAX_VALUE];

function value(depth = 0): unknown {
  const kind = below(depth > 4 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return pick(NUMBERS);
  if (kind < 5) return pick(TEXTS);
  if (kind === 5) return Array.from({ length: below(4) }, () => value(depth + 1));
  return Object.fromEntries(Array.from({ length: below(4) }, () => [pick(TEXTS), value(depth + 1)]));
}

/** A good example of the document with one member changed, or anything. */
function bodyOf(examples: unknown[]): string {
  if (examples.length === 0 || random() < 0.3) return random() < 0.2 ? pick(TEXTS) : JSON.stringify(value());
  const copy = structuredClone(pick(examples)) as Record<string, unknown>;
  let at = copy;
  while (random() < 0.5) {
    const inner = Object.values(at).filter(each => typeof each === 'object' && each !== null);
    if (inner.length === 0) break;
    at = pick(inner) as Record<string, unknown>;
  }
  const members = Object.keys(at);
  if (members.length > 0) at[pick(members)] = value();
  return JSON.stringify(copy);
}

interface Target {
  method: string;
  path: string;
  examples: unknown[];
}
const targets = (): Target[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]) => {
      const content = requestBody?.content['application/json'] as
        | { examples?: Record<string, { value: unknown }>; example?: unknown }
        | undefined;
      const examples = Object.values(content?.examples ?? {}).map(each => each.value);
      return {
        method: method.toUpperCase(),
        path,
        examples: content?.example === undefined ? examples : [...examples, content.example],
      };
    }),
  );

/** They wait, stop the chains, or change what the document promises. */
const LEFT_OUT = /^\/sandbox\/v1\/(events|mailbox|faults|chains)/;

async function overHttp(all: Target[]): Promise<string | undefined> {
  const { method, path: template, examples } = pick(all);
  const path = template.replace(
    /\{[^}]+\}/g,
    () => encodeURIComponent(pick(TEXTS).toWellFormed().slice(0, 500)) || '7',
  );
  const query =
    method === 'GET' && random() < 0.5
      ? `?${pick(['limit', 'after', 'type', 'page', 'symbol'])}=${encodeURIComponent(pick(TEXTS).toWellFormed().slice(0, 200))}`
      : '';
  const body = method === 'GET' ? null : bodyOf(examples);
  const answer = await fetch(program.url + path + query, { method, body, redirect: 'manual' });
  const flaw =
    answer.status >= 500
      ? `answered ${answer.status}`
      : await check.answer(method, new URL(program.url + path).pathname, answer);
  if (!answer.bodyUsed) await answer.arrayBuffer();
  return (
    flaw && `${method} ${path.slice(0, 200)}${query.slice(0, 200)} ${String(body).slice(0, 500)}: ${flaw}`
  );
}

async function overRaw(): Promise<string | undefined> {
  const host = pick([`127.0.0.1:${program.port}`, 'elsewhere.example', '']);
  const target = pick(['/', '//', '/v1/vasps', '*', 'http://[', '/%', '/devnet/xrpl', `/${pick(TEXTS)}`]);
  const bytes = pick([
    () => handshake(target, host),
    () =>
      requestHead(pick(['GET', 'POST', 'TRACE', 'PURGE', 'CONNECT']), target, {
        Host: host,
        Connection: 'close',
      }),
    () =>
      requestHead('POST', target, { Host: host, 'Transfer-Encoding': 'chunked' }) +
      pick(['zz\r\n', 'fffffff\r\na', '0\r\n\r\n']),
    () => Buffer.from(Array.from({ length: 64 }, () => below(256))),
  ])();
  const { status, text } = await sendRaw(program.port, bytes, {
    quietMs: 50,
    resetAfterMs: random() < 0.3 ? below(20) : 200,
  });
  return status >= 500 ? `${JSON.stringify(String(bytes).slice(0, 300))}: ${text.slice(0, 300)}` : undefined;
}

const COMMANDS = ['ping', 'server_info', 'account_info', 'subscribe', 'ledger', 'tx', 'submit', 'path_find'];
const METHODS = [
  'eth_call',
  'eth_getLogs',
  'eth_subscribe',
  'eth_feeHistory',
  'anvil_reset',
  'eth_getBlockByNumber',
];
async function overWebSocket(): Promise<string | undefined> {
  const chain = pick(['xrpl', 'ethereum']);
  const socket = new WebSocket(`ws://127.0.0.1:${program.port}/devnet/${chain}`);
  const ended = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.once('open', () => {
    for (let n = 0; n < 5; n++) {
      const call =
        chain === 'xrpl'
          ? { command: pick(COMMANDS), ...(value(3) as object | null) }
          : { jsonrpc: '2.0', id: value(4), method: pick(METHODS), params: value(2) };
      socket.send(random() < 0.2 ? pick(TEXTS) : JSON.stringify(call));
    }
    setTimeout(() => socket.terminate(), 20);
  });
  await ended;
  return undefined;
}

async function overEvents(): Promise<string | undefined> {
  const aborting = new AbortController();
  const answer = await fetch(`${program.url}/sandbox/v1/events`, { signal: aborting.signal });
  await answer.body!.getReader().read();
  aborting.abort();
  return answer.status === 200 ? undefined : `events answered ${answer.status}`;
}

const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))![1]) / 1024;

test(`${REQUESTS} random requests, seed ${SEED}`, async () => {
  const all = targets().filter(({ path }) => !LEFT_OUT.test(path));
  const flaws: string[] = [];
  let done = 0;
  let early = 0;
  const worker = async () => {
    while (done < REQUESTS && flaws.length < 20) {
      done += 1;
      if (done === Math.ceil(REQUESTS / 10)) early = memory();
      const kind = random();
      const flaw = await (kind < 0.9
        ? overHttp(all)
        : kind < 0.95
          ? overRaw()
          : kind < 0.98
            ? overWebSocket()
            : overEvents());
      if (flaw) flaws.push(flaw);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect((await fetch(`${program.url}/healthcheck`)).status).toBe(200);
  console.log(
    `seed ${SEED}: ${done} requests, memory ${Math.round(early)} MB after a tenth, ${Math.round(memory())} MB at the end`,
  );
  expect(flaws).toEqual([]);
  expect(memory() - early).toBeLessThan(MOST_GROWTH);
}, 3_600_000);
