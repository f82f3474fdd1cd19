import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { scratchFolder } from '../../support/db/scratch-folder.ts';
import {
  type ApiDocument,
  type DocumentCheck,
  documentCheck,
  loadDocument,
  type Operation,
  type SentRequest,
} from '../../support/http/document-check.ts';
import { randomFromSchema, type Schema } from '../../support/http/random-from-schema.ts';
import { handshake, requestHead, sendRaw } from '../../support/http/raw-socket.ts';
import { type Serving, servingReady } from '../../support/process/serving.ts';
import { randomFrom } from '../../support/world/random-from.ts';
import { maxResident, watchHeap } from './memory.ts';

/** Random requests of every kind. The seed of a run repeats it. */

const REQUESTS = Number(process.env.HOSTILE_REQUESTS || 100_000);
const SEED = Number(process.env.HOSTILE_SEED || 1 + (Date.now() % 1_000_000));
const AT_ONCE = 16;
/** Megabytes. */
const MAX_GROWTH = 50;
const MAX_RESIDENT = 600;

const DATABASE_PATH = join(scratchFolder(), 'robot.sqlite');
let program: Serving;
let document: ApiDocument;
let check: DocumentCheck;
let fromSchema: (schema: Schema) => unknown;
beforeAll(async () => {
  program = await servingReady({ DATABASE_PATH, XRPL_CLOSE_INTERVAL: '100ms', LOG_LEVEL: 'error' });
  document = await loadDocument(program.url);
  check = documentCheck(document);
  fromSchema = randomFromSchema(document.components.schemas, random);
});
afterAll(() => program.stop());

const random = randomFrom(SEED);
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

/** One member, at any depth, is another one. */
function spoilt(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return value();
  let at = body as Record<string, unknown>;
  while (random() < 0.5) {
    const inner = Object.values(at).filter(each => typeof each === 'object' && each !== null);
    if (inner.length === 0) break;
    at = pick(inner) as Record<string, unknown>;
  }
  const members = Object.keys(at);
  if (members.length > 0) at[pick(members)] = value();
  return body;
}

interface Target {
  method: string;
  path: string;
  operation: Operation;
}
const targets = (): Target[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** They wait. */
const WAITING = /^\/sandbox\/v1\/(events|mailbox)/;
/** They break the chains on purpose, or order what the document does not promise: they come last, one by one. */
const DISTURBING = /^\/sandbox\/v1\/(faults|chains|runs)/;
const OF_EACH_DISTURBING = 40;

/** By the schemas of the document; one in three has something that is not. */
function requestTo({ method, path: template, operation }: Target): SentRequest {
  const { parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  const ofKind = (kind: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter(each => each.in === kind && (each.required || random() < 0.3))
        .map(({ name, schema }) => [name, random() < 0.1 ? textOfUrl() : String(fromSchema(schema as Schema))]),
    );
  const examples = Object.values(json?.examples ?? {}).map(each => structuredClone(each.value));
  const good = () =>
    examples.length > 0 && random() < 0.3 ? pick(examples) : fromSchema((json?.schema ?? {}) as Schema);
  const bodyOf = () => {
    const kind = random();
    return kind < 0.6 ? good() : kind < 0.9 ? spoilt(good()) : kind < 0.95 ? value() : undefined;
  };
  const body = json && method !== 'GET' ? bodyOf() : undefined;
  return { method, template, path: ofKind('path'), query: ofKind('query'), body };
}
const textOfUrl = (): string => pick(TEXTS).toWellFormed().slice(0, 500) || '7';

async function overHttp(target: Target): Promise<string | undefined> {
  const request = requestTo(target);
  const { method, template, query, body } = request;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.path[name]!));
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const text = body === undefined ? null : JSON.stringify(body);
  const what = `${method} ${(path + search).slice(0, 400)} ${String(text).slice(0, 1500)}`;
  let answer: Response;
  try {
    answer = await fetch(program.url + path + search, { method, body: text, redirect: 'manual' });
  } catch (error) {
    return `${what}: ${(error as { cause?: Error }).cause?.message}, exit code ${program.child.exitCode}`;
  }
  const served = new URL(program.url + path).pathname;
  const problem =
    answer.status >= 500 && template !== '/readyz'
      ? `answered ${answer.status} ${(await answer.clone().text()).slice(0, 500)}`
      : ((await check.answer(method, served, answer)) ??
        (served === path ? await bothWays(request, text, answer) : undefined));
  if (!answer.bodyUsed) await answer.arrayBuffer();
  return problem && `${what}: ${problem}`;
}

/** Rules that no schema can state, or none that generators read: well-formed Unicode, depth, size, what the caller is, what was sent before, what another member allows. */
const BEYOND_SCHEMAS =
  /well-formed Unicode|the JSON text of one of them|nested levels|should be another VASP|is not completed yet|ids that differ|was used with another body|`network` is required|only the XRP Ledger has partial payments|a payment of XRP pays one account|should be less than `amount`|trusts no token by itself|should not be in the future|accounts that differ|should name modules of this plan|holds no account on/;

/** A request that the schema admits is never malformed. A request that it forbids is never carried out. */
async function bothWays(request: SentRequest, text: string | null, answer: Response): Promise<string | undefined> {
  const isAdmitted = check.admits({ ...request, body: text === null ? undefined : JSON.parse(text) });
  if (!isAdmitted) return answer.status < 300 ? `${answer.status}, and the schema forbids it` : undefined;
  if (answer.status !== 400) return undefined;
  const refused = await answer.clone().text();
  return /"(BAD-REQUEST|MISSING-[A-Z0-9-]+)"/.test(refused) && !BEYOND_SCHEMAS.test(refused)
    ? `${refused}, and the schema admits it`
    : undefined;
}

async function overRaw(): Promise<string | undefined> {
  const host = pick([`127.0.0.1:${program.port}`, 'elsewhere.example', '']);
  const target = pick(['/', '//', '/v1/vasps', '*', 'http://[', '/%', '/devnet/xrpl', `/${pick(TEXTS)}`]);
  const bytes = pick([
    () => handshake(target, host),
    () => requestHead(pick(['GET', 'POST', 'TRACE', 'PURGE', 'CONNECT']), target, { Host: host, Connection: 'close' }),
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
const METHODS = ['eth_call', 'eth_getLogs', 'eth_subscribe', 'eth_feeHistory', 'anvil_reset', 'eth_getBlockByNumber'];
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

/** Undoes what a request may have ordered. */
async function calmDown(): Promise<void> {
  const send = (method: string, path: string, body?: object) =>
    fetch(`${program.url}/sandbox/v1${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  await send('DELETE', '/faults');
  const { runs } = (await (await send('GET', '/runs')).json()) as { runs: { id: string; endedAt: string | null }[] };
  for (const { id, endedAt } of runs) if (endedAt === null) await send('DELETE', `/runs/${id}`);
  for (const symbol of ['ETH', 'XRP']) await send('POST', `/chains/${symbol}/hold`, { on: false });
}

test(`${REQUESTS} random requests, seed ${SEED}`, async () => {
  const all = targets().filter(({ path }) => !WAITING.test(path) && !DISTURBING.test(path));
  const startedAt = performance.now();
  const problems: string[] = [];
  let done = 0;
  const heap = watchHeap(program.url, REQUESTS);
  const worker = async () => {
    while (done < REQUESTS && problems.length < 20) {
      done += 1;
      await heap.look(done);
      const kind = random();
      const problem = await (kind < 0.9
        ? overHttp(pick(all))
        : kind < 0.95
          ? overRaw()
          : kind < 0.98
            ? overWebSocket()
            : overEvents());
      if (problem) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const target of targets().filter(({ path }) => DISTURBING.test(path)))
    for (let n = 0; n < Math.min(OF_EACH_DISTURBING, REQUESTS / 100) && problems.length < 20; n++) {
      const problem = await overHttp(target);
      if (problem) problems.push(problem);
      if (target.method !== 'GET') await calmDown();
    }
  if (problems.length > 0) expect.fail(`${problems.join('\n')}\n${program.stderr().slice(0, 3_000)}`);
  expect((await fetch(`${program.url}/healthcheck`)).status).toBe(200);
  const perSecond = Math.round(done / ((performance.now() - startedAt) / 1000));
  console.log(
    `seed ${SEED}: ${done} requests, ${perSecond}/s, heap in use by fifths of the run ${heap.lowest.map(Math.round).join(', ')} MB, resident at most ${Math.round(maxResident(program.pid))} MB`,
  );
  // The first fifth fills the caches.
  expect(heap.lowest.at(-1)! - heap.lowest[1]!).toBeLessThan(MAX_GROWTH);
  expect(maxResident(program.pid)).toBeLessThan(MAX_RESIDENT);
}, 3_600_000);
