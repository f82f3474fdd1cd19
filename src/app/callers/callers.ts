import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { refusals } from '../../contract/refusals.ts';
import { asCaller, type CallerId } from '../../contract/tenancy.ts';
import { type DevnetCaller, MAX_RPC_BYTES, TESTER } from '../../devnet/access.ts';
import type { EnclaveDeps } from '../../enclave/deps.ts';
import type { VaspStore } from '../../enclave/vasps/store.ts';
import { devnetFault } from '../../fault-injection/faulty-vasp.ts';
import { bearerKey, keyOf, type Sender, type SignIn } from '../../http/caller.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Admitted } from '../../http/serve.ts';
import type { InTurn } from '../../http/server.ts';
import type { Log } from '../../kernel/log.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import type { MaxOf } from '../../timers/store.ts';
import type { Config } from '../config/config.ts';

/** The callers: in the local mode everybody may call, in the hosted mode the gate decides. */
export interface Callers {
  callerOf(c: Context): Admitted;
  /** The VASP that sends a request, also one that is refused. Undefined: nobody knows. */
  vaspOf(request: IncomingMessage): string | undefined;
  /** Before all routes. Undefined: nothing is checked there. */
  entry?: MiddlewareHandler;
  endpoints(endpoints: readonly Endpoint[]): Endpoint[];
  devnetCaller(c: Context): DevnetCaller;
  /** As in `SandboxDeps`. */
  beforeSending: SandboxDeps['beforeSending'];
  /** As in `EnclaveDeps`. */
  beforeVerifying: EnclaveDeps['beforeVerifying'];
  beforeReporting: EnclaveDeps['beforeReporting'];
  /** May this WebSocket open? */
  admitUpgrade(request: IncomingMessage): DevnetCaller & { over: AbortSignal };
  /** Hosted mode: the sender of a request, before it is read. */
  senderOf?(request: IncomingMessage): Sender | undefined;
  readonly inTurn?: InTurn;
  /** Undefined: as usual. */
  maxBytes?(request: IncomingMessage): number | undefined;
  /** Hosted mode: who has this key. */
  whoHas?(key: string): SignIn | undefined;
  /** The most callbacks to a VASP that wait for its answer. */
  callbacksInFlight(vaspId: string): number;
  stop(): void;
}

export type CreateCallers = (parts: { config: Config; vasps: VaspStore; sandbox: SandboxDeps; log: Log }) => Callers;

/** Only callbacks have a limit of their own. */
export const timerLimits =
  (callers: () => Callers): MaxOf =>
  (owner, kind) =>
    kind === 'enclave.callback.deliver' ? callers().callbacksInFlight(owner) : Number.POSITIVE_INFINITY;

const DEVNET_ETHEREUM = /^\/devnet\/ethereum\/?(\?|$)/;

/** D-01 */
export const localCallers: CreateCallers = ({ vasps, config, sandbox }) => {
  const { vaspId } = config.vasp;
  const vaspOf = (authorization: string | undefined): string => {
    try {
      return authenticate(vasps, vaspId, authorization);
    } catch {
      // Of whom else?
      return vaspId;
    }
  };
  /** A chain client has its key in the address. */
  const chainClient = (authorization: string | undefined, path: string, url: string): DevnetCaller => {
    const key = keyOf(authorization, path, url);
    const vaspId = vaspOf(key && `Bearer ${key}`);
    return { ...TESTER, faultOn: (symbol, method) => devnetFault(sandbox.faults, vaspId, symbol, method) };
  };
  return {
    callerOf: c => ({
      caller: { role: 'local', vaspId: authenticate(vasps, vaspId, c.req.header('authorization')) },
      address: '',
    }),
    vaspOf: ({ headers }) => vaspOf(headers.authorization),
    endpoints: endpoints => [...endpoints],
    devnetCaller: c => chainClient(c.req.header('authorization'), c.req.path, c.req.url),
    admitUpgrade: ({ headers, url = '' }) => ({
      ...chainClient(headers.authorization, url.split('?')[0]!, url),
      over: NEVER,
    }),
    beforeSending: () => {},
    beforeVerifying: () => {},
    beforeReporting: () => {},
    maxBytes: ({ url = '' }) => (DEVNET_ETHEREUM.test(url) ? MAX_RPC_BYTES[TESTER.access] : undefined),
    callbacksInFlight: () => Number.POSITIVE_INFINITY,
    stop: () => {},
  };
};

const NEVER = new AbortController().signal;

/** D-01: a key names a registered VASP. Without credentials the caller is the tested VASP. Throws `Refusal` unauthorized. */
export function authenticate(store: VaspStore, localVaspId: string, authorization: string | undefined): CallerId {
  if (authorization === undefined) return asCaller(localVaspId);
  const apiKey = bearerKey(authorization);
  const vaspId = apiKey === undefined ? undefined : store.findIdByApiKey(apiKey);
  if (vaspId === undefined) throw refusals.unauthorized();
  return asCaller(vaspId);
}
