import { type Context, Hono } from 'hono';
import { type JsonObject, parse, parseJsonObject } from '../contract/parse.ts';
import { refusals } from '../contract/refusals.ts';
import { endpointsAt, VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import { type Answer, answerError, closeConnection, send } from '../http/answer.ts';
import { incomingOf, readText } from '../http/body.ts';
import { type ExchangeLog, received } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import { pause } from '../timers/loop.ts';
import { type Registration, requestHeaders } from './http-client.ts';
import { BadAnswer, NoAnswer, type Vasp } from './port.ts';

/** WIRE-3: serves any `Vasp` over HTTP, at one path per operation. */

export const VASP_PATHS = endpointsAt('');

export interface ServedVaspDeps {
  /** What the enclave sends with every request. Without a token everybody may ask. */
  authorization: Registration['authorization'];
  /** The VASP on the other side of a verification. Undefined: it is not known. */
  counterpartyOf(verificationUuid: string): string | undefined;
  /** Time on the clock of that VASP, epoch ms. */
  now(vaspId: string): number;
  exchanges: ExchangeLog;
  random: Random;
  log: Log;
}

/** A caller that waits longer for an answer that never comes gets a closed connection. */
const SILENT_MS = 60_000;

export function serveVasp(vasp: Vasp, deps: ServedVaspDeps): Hono {
  const app = new Hono();
  for (const operation of Object.keys(VASP_API) as VaspOperation[])
    app.post(VASP_PATHS[operation], c => serveOne(c, operation, vasp, deps));
  return app;
}

/** Keeps the exchange for the VASP on the other side. A request that names nobody is not kept. */
async function serveOne(c: Context, operation: VaspOperation, vasp: Vasp, deps: ServedVaspDeps): Promise<Response> {
  const startedAt = elapsedMs();
  const afterHistory = deps.exchanges.position();
  let request: string | null = null;
  let asked: Asked = {};
  let sent: Answer | undefined;
  try {
    const { text, body } = await requestOf(c, deps.authorization);
    const question = parse(VASP_API[operation].request, body);
    request = text;
    asked = question as Asked;
    sent = await answer(vasp, operation, question as never);
  } catch (error) {
    if (error instanceof NoAnswer) await pause(SILENT_MS, c.req.raw.signal);
    else sent = error instanceof BadAnswer ? badAnswer(error) : answerError('sandbox', error, deps);
  }
  const verificationUuid = asked.verificationUuid ?? asked.data?.verificationUuid ?? null;
  const vaspId = asked.originatingVaspId ?? deps.counterpartyOf(verificationUuid ?? '');
  if (vaspId !== undefined) {
    const error = sent ? null : 'closed without an answer';
    const call = { vaspId, operation, verificationUuid, request, error, at: deps.now(vaspId) };
    const secretNames = [deps.authorization.header.toLowerCase()];
    deps.exchanges.record(received(c, { startedAt, afterHistory, sent, ...call }, secretNames));
  }
  return sent ? send(sent) : closeConnection(c);
}

type Asked = { originatingVaspId?: string; verificationUuid?: string; data?: { verificationUuid: string } };

async function answer(vasp: Vasp, operation: VaspOperation, question: never): Promise<Answer> {
  if (operation !== 'callback') return { status: 200, text: JSON.stringify(await vasp[operation](question, [])) };
  const { status, body } = await vasp.callback(question);
  return { status, text: body };
}

/** What the enclave sends. Throws `Refusal` unauthorized, and those of a body that cannot be read. */
export async function requestOf(
  c: Context,
  authorization: Registration['authorization'],
): Promise<{ text: string; body: JsonObject }> {
  const header = authorization.header.toLowerCase();
  const expected = requestHeaders(authorization)[header] ?? '';
  if (authorization.token !== undefined && !isSameSecret(c.req.header(header) ?? '', expected))
    throw refusals.unauthorized('The token is missing or wrong.');
  const incoming = incomingOf(c);
  const text = await readText(incoming?.rawBody ?? c.req.raw, incoming?.headers ?? c.req.header());
  return { text, body: parseJsonObject(text) };
}

/** An ordered fault, or a question that the VASP cannot answer. Undefined: the connection is closed. */
function badAnswer({ fault, message }: BadAnswer): Answer | undefined {
  if (fault === 'drop') return undefined;
  if (fault === 'malformed') return { status: 200, text: '{"result":' };
  return { status: fault?.status ?? 500, text: JSON.stringify({ code: 'UNDEFINED-ERROR', message }) };
}
