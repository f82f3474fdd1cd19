import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { Refusal, refusals } from '../contract/refusals.ts';
import { answerRefusal, send } from './answer.ts';
import { bearerKey } from './bearer-key.ts';
import type { Access, Admission, Arrival, Caller, Gate, SignIn } from './caller.ts';

/** The hosted mode: every request passes the gate before anything else looks at it. */

/** Bindings of a request: of the server, or of a call inside the process. */
export interface Bindings {
  incoming?: IncomingMessage;
  /** Only code of this process can set it. */
  signIn?: SignIn;
}

const admissions = new WeakMap<Request, Admission>();

export const admissionOf = (c: Context): Admission | undefined => admissions.get(c.req.raw);

/** `addressOf`: the client's address, behind the proxies that are trusted. */
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
  if (access === 'local mode') throw refusals.forbidden('This works only in the local mode.');
  if (access.includes(caller.role)) return;
  throw refusals.forbidden(
    caller.role === 'operator'
      ? 'The operator is no VASP. This request needs the key of a VASP.'
      : 'This request is only for the operator.',
  );
}
