import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type * as z from 'zod';
import type { Callback } from '../contract/callbacks.ts';
import { parseJsonObject } from '../contract/json-object.ts';
import { parse } from '../contract/parse.ts';
import { refusals } from '../contract/refusals.ts';
import { VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import { type Answer, answerError, closeConnection, responseHeadersOf, send } from '../http/answer.ts';
import { incomingOf, readText } from '../http/body.ts';
import type { ExchangeLog } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import type { Random } from '../kernel/random.ts';
import { pause } from '../timers/loop.ts';
import { BadAnswer, type CallbackReply, isPostponed, NoAnswer, type Vasp } from './port.ts';
import { type Registration, requestHeaders } from './wire.ts';

/** WIRE-3: serves any `Vasp` over HTTP, at one path per operation. */

export const VASP_PATHS: { readonly [O in VaspOperation]: string } = {
  verifyUser: '/verify-user',
  verifyAccount: '/verify-account',
  transactionStatus: '/transaction-status',
  callback: '/callback',
};

/** The addresses of a VASP that is served at `url`. */
export const endpointsAt = (url: string): Record<VaspOperation, string> => ({
  verifyUser: url + VASP_PATHS.verifyUser,
  verifyAccount: url + VASP_PATHS.verifyAccount,
  transactionStatus: url + VASP_PATHS.transactionStatus,
  callback: url + VASP_PATHS.callback,
});

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

/** Undefined: the connection is closed without an answer. */
type Served = Answer | undefined;

export function serveVasp(vasp: Vasp, deps: ServedVaspDeps): Hono {
  const app = new Hono();
  const answers = answersOf(vasp);
  for (const operation of Object.keys(VASP_PATHS) as VaspOperation[])
    app.post(VASP_PATHS[operation], async c => {
      const record = recorder(c, operation, deps);
      const served = await answerTo(c, operation, answers, deps, record);
      record.end(served);
      return served ? send(served) : closeConnection(c);
    });
  return app;
}

async function answerTo(
  c: Context,
  operation: VaspOperation,
  answers: Answers,
  deps: ServedVaspDeps,
  record: ReturnType<typeof recorder>,
): Promise<Served> {
  try {
    requireToken(c, deps.authorization);
    const incoming = incomingOf(c);
    const text = await readText(incoming?.rawBody ?? c.req.raw, incoming?.headers ?? c.req.header());
    const body = parseJsonObject(text);
    const request = parse(VASP_API[operation].request, body);
    record.begin(text, request);
    const { status, body: answer } = await answers[operation](request as never);
    return { status, text: answer };
  } catch (error) {
    if (error instanceof NoAnswer) return void (await pause(SILENT_MS, c.req.raw.signal));
    return error instanceof BadAnswer ? badAnswer(error) : answerError('sandbox', error, deps);
  }
}

/** Throws `Refusal` unauthorized. */
function requireToken(c: Context, authorization: Registration['authorization']): void {
  if (authorization.token === undefined) return;
  const header = authorization.header.toLowerCase();
  const expected = Buffer.from(requestHeaders(authorization)[header]!);
  const actual = Buffer.from(c.req.header(header) ?? '');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw refusals.unauthorized('The token is missing or wrong.');
}

/** An ordered fault, or a question that the VASP cannot answer. */
function badAnswer({ fault, message }: BadAnswer): Served {
  if (fault === 'drop') return undefined;
  if (fault === 'malformed') return { status: 200, text: '{"result":' };
  return { status: fault?.status ?? 500, text: JSON.stringify({ code: 'UNDEFINED-ERROR', message }) };
}

/** Keeps the exchange for the VASP on the other side. A request that names nobody is not kept. */
function recorder(c: Context, operation: VaspOperation, deps: ServedVaspDeps) {
  const startedAt = elapsedMs();
  const afterHistory = deps.exchanges.position();
  let request: string | null = null;
  let about: About | undefined;
  return {
    begin(text: string, asked: Asked) {
      request = text;
      const verificationUuid = asked.verificationUuid ?? asked.data?.verificationUuid ?? null;
      const known = verificationUuid === null ? undefined : deps.counterpartyOf(verificationUuid);
      about = { vaspId: asked.originatingVaspId ?? known, verificationUuid };
    },
    end(served: Served) {
      // Of a result that came before its verification was kept.
      const vaspId = about?.vaspId ?? deps.counterpartyOf(about?.verificationUuid ?? '');
      if (!about || vaspId === undefined) return;
      deps.exchanges.record({
        ...about,
        vaspId,
        direction: 'IN',
        operation,
        method: 'POST',
        url: new URL(c.req.url).pathname,
        request,
        status: served?.status ?? null,
        response: served?.text ?? null,
        headers: maskedHeaders(c.req.header(), [deps.authorization.header.toLowerCase()]),
        responseHeaders: served ? maskedHeaders(responseHeadersOf(served)) : {},
        error: served ? null : 'closed without an answer',
        isCheck: false,
        isRepeated: false,
        durationMs: Math.round(elapsedMs() - startedAt),
        at: deps.now(vaspId),
        afterHistory,
      });
    },
  };
}

type About = { vaspId: string | undefined; verificationUuid: string | null };
type Asked = { originatingVaspId?: string; verificationUuid?: string; data?: { verificationUuid: string } };
type Answers = {
  readonly [O in VaspOperation]: (
    request: z.output<(typeof VASP_API)[O]['request']>,
  ) => Promise<Pick<CallbackReply, 'status' | 'body'>>;
};

const answersOf = (vasp: Vasp): Answers => ({
  verifyAccount: async request => ok(await vasp.verifyAccount(request)),
  async verifyUser(request) {
    const answer = await vasp.verifyUser(request, []);
    if (!isPostponed(answer)) return ok(answer);
    await pause(Math.min(answer.postponedMs, SILENT_MS));
    return ok(answer.answer);
  },
  transactionStatus: async request => ok(await vasp.transactionStatus(request)),
  callback: request => vasp.callback(request as Callback),
});

const ok = (body: object) => ({ status: 200, body: JSON.stringify(body) });
