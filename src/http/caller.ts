import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, MiddlewareHandler } from 'hono';
import { Refusal, refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { Turns } from '../kernel/turns.ts';
import { answerRefusal, send } from './answer.ts';
import type { InTurn } from './server.ts';

/** The rights of a key: everything, reading only, or reading and running checks. */
export const SCOPES = ['full', 'read', 'check'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * The sender of a request. `vaspId`: the only VASP whose data it reads and changes; empty for the operator and for a
 * public request without a key (`nobody`).
 */
export type Caller =
  | { readonly role: 'local'; readonly vaspId: CallerId }
  | { readonly role: 'vasp'; readonly vaspId: CallerId; readonly keyId: string; readonly scope: Scope }
  | { readonly role: 'operator'; readonly vaspId: CallerId }
  | { readonly role: 'nobody'; readonly vaspId: CallerId };

/** The callers that an endpoint serves in the hosted mode. The local mode knows no roles. */
export type Access = 'vasp' | 'operator' | 'vasp or operator' | 'everybody' | 'local mode';

/** A sign-in, which the console keeps on the server. */
export type SignIn = { readonly role: 'vasp'; readonly keyId: string } | { readonly role: 'operator' };

/** The parts of a request that the gate reads. */
export interface Arrival {
  method: string;
  path: string;
  /** Text of an API key or of the operator's key. */
  key: string | undefined;
  /** Of a call that the console makes for a signed-in browser. */
  signIn: SignIn | undefined;
  /** Of the client. */
  address: string;
}

export interface Admission {
  /** Undefined: the path is public, and the request has no key. */
  caller: Caller | undefined;
  /** Aborts when the key is revoked or expires, or its VASP is suspended. */
  over: AbortSignal;
  /** For the answer. */
  headers: Readonly<Record<string, string>>;
}

/** The sender of a request, before the request is read. */
export interface Sender {
  /** Requests of one owner share their limit and their turns. */
  owner: string;
  /** The sender is over its limit. */
  refusal?: Refusal | undefined;
}

/** The one place that decides who calls, in the hosted mode. */
export interface Gate {
  /** Takes nothing of the limit. Undefined: the request has no limit of its own. */
  senderOf(arrival: Arrival): Sender | undefined;
  /** Begins the requests and frames of all senders. */
  readonly inTurn: InTurn;
  /** Throws `Refusal` unauthorized, forbidden, suspended, rate-limited. */
  admit(arrival: Arrival): Admission;
  /** A request of the caller has begun. The returned function ends it. */
  begin(caller: Caller): () => void;
  /** Counts a WebSocket of the caller until it is closed. Throws `Refusal` quota-exceeded. */
  countSocket(caller: Caller | undefined, socket: Duplex): void;
  /** The frames that the caller sends over its WebSockets, and the calls of its batches after the first one. */
  frameTurns(caller: Caller | undefined): Turns;
  /** Called with the status of the answer, for the audit log. */
  served(arrival: Arrival, caller: Caller, status: number): void;
}

/** Bindings of a request: of the server, or of a call inside the process. */
export interface Bindings {
  incoming?: IncomingMessage;
  /** Only code of this process can set it. */
  signIn?: SignIn;
}

const admissions = new WeakMap<Request, Admission>();

export const admissionOf = (c: Context): Admission | undefined => admissions.get(c.req.raw);

/** Every request of the hosted mode passes the gate first. `addressOf`: the client's address, behind trusted proxies. */
export const entry =
  (gate: Gate, addressOf: (incoming: IncomingMessage) => string): MiddlewareHandler =>
  async (c, next) => {
    const { incoming, signIn } = (c.env ?? {}) as Bindings;
    const arrival: Arrival = {
      method: c.req.method,
      path: c.req.path,
      key: keyOf(c.req.header('authorization'), c.req.path, c.req.url),
      signIn,
      address: incoming ? addressOf(incoming) : '',
    };
    let admission: Admission;
    try {
      admission = gate.admit(arrival);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return send(answerRefusal('sandbox', error), undefined);
    }
    admissions.set(c.req.raw, admission);
    const end = admission.caller && gate.begin(admission.caller);
    try {
      await next();
    } finally {
      end?.();
    }
    for (const [name, value] of Object.entries(admission.headers)) c.res.headers.set(name, value);
    if (admission.caller) gate.served(arrival, admission.caller, c.res.status);
    return undefined;
  };

/** Chain clients have no headers: at `/devnet` the key may stand in the address. */
export function keyOf(authorization: string | undefined, path: string, url: string): string | undefined {
  if (authorization !== undefined) return bearerKey(authorization) ?? '';
  if (path !== '/' && !/^\/devnet(?:\/|$)/.test(path)) return undefined;
  return new URLSearchParams(url.split('?')[1] ?? '').get('key') ?? undefined;
}

/** Throws `Refusal` forbidden. */
export function requireAccess(caller: Caller, access: Access = 'vasp'): void {
  if (caller.role === 'local' || access === 'everybody') return;
  if (access === 'local mode')
    throw refusals.forbidden(
      'The reference VASP is switched only in the local mode. `robot-vasp vasp` joins a hosted sandbox, with the key of a VASP.',
    );
  if (access.includes(caller.role)) return;
  throw refusals.forbidden(
    caller.role === 'operator'
      ? 'The operator is no VASP. This request needs the key of a VASP. GET /sandbox/v1/tenants lists them.'
      : 'This request is only for the operator.',
  );
}

/** The key of `Authorization: Bearer <key>`. Undefined: the header has another form. */
export const bearerKey = (authorization: string): string | undefined => /^Bearer +(\S+)$/i.exec(authorization)?.[1];
