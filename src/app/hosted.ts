import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteWithoutTraces, wipeTraces } from '../db/rewrite.ts';
import type { DevnetAccess } from '../devnet/access.ts';
import { authenticate } from '../enclave/vasps/authenticate.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import type { Arrival, Caller, Sender, SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { admissionOf, type Bindings, entry, keyOf } from '../http/entry.ts';
import { trustedProxies } from '../http/proxies.ts';
import type { Admitted } from '../http/serve.ts';
import type { AdmitUpgrade } from '../http/upgrade.ts';
import { interval } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { createTenants } from '../tenants/create.ts';
import type { MostOf } from '../timers/runner.ts';
import type { Config } from './config.ts';

/** The callers: in the local mode everybody may call, in the hosted mode the gate decides. */
export interface Callers {
  callerOf(c: Context): Admitted;
  /** Before all routes. Undefined: nothing is checked there. */
  entry?: MiddlewareHandler;
  endpoints(endpoints: readonly Endpoint[]): Endpoint[];
  /** The caller's access to the embedded chains. */
  devnetAccess(c: Context): DevnetAccess;
  /** Hosted mode: may this WebSocket open? */
  admitUpgrade?: AdmitUpgrade;
  /** Hosted mode: the sender of a request, before it is read. */
  senderOf?(request: IncomingMessage): Sender | undefined;
  /** Hosted mode: the operator may send more. Undefined: as usual. */
  mostBytes?(request: IncomingMessage): number | undefined;
  /** Hosted mode: who has this key. */
  whoHas?(key: string): SignIn | undefined;
  /** The most callbacks to a VASP that wait for its answer. */
  callbacksInFlight(vaspId: string): number;
  stop(): void;
}

const WIPE_EVERY_MS = 10_000;

/** Callbacks alone have a limit of their own. */
export const timerLimits =
  (callers: () => Callers): MostOf =>
  (owner, kind) =>
    kind === 'enclave.callback.deliver' ? callers().callbacksInFlight(owner) : Number.POSITIVE_INFINITY;

/** D-01 */
export const localCallers = (vasps: VaspStore, { vasp }: Config): Callers => ({
  callerOf: c => ({
    caller: { role: 'local', vaspId: authenticate(vasps, vasp.vaspId, c.req.header('authorization')) },
    address: '',
  }),
  endpoints: endpoints => [...endpoints],
  devnetAccess: () => 'everything',
  callbacksInFlight: () => Number.POSITIVE_INFINITY,
  stop: () => {},
});

interface Parts {
  config: Config;
  sandbox: SandboxDeps;
  log: Log;
}

export function hostedCallers({ config, ...parts }: Parts): Callers {
  deleteWithoutTraces(parts.sandbox.db);
  const stopWiping = interval(WIPE_EVERY_MS, () => wipeAgain(parts));
  const { registration, cell, quotas, operatorKeyHash = '' } = config;
  const tenants = createTenants({ ...parts, settings: { registration, cell, quotas, operatorKeyHash } });
  const { addressOf } = trustedProxies(config.trustedProxies);
  const arrivalOf = (request: IncomingMessage): Arrival => {
    const { method = 'GET', url = '/', headers } = request;
    const path = url.split('?')[0]!.replace(/(.)\/$/, '$1');
    const key = keyOf(headers.authorization, path, url);
    return { method, path, key, signIn: undefined, address: addressOf(request) };
  };
  return {
    callerOf(c) {
      const { incoming } = (c.env ?? {}) as Bindings;
      const { caller, over } = admissionOf(c) ?? {};
      return { caller, address: incoming ? addressOf(incoming) : '', ...(over ? { over } : {}) };
    },
    entry: entry(tenants.gate, addressOf),
    endpoints: endpoints => [...tenants.limited(endpoints), ...tenants.endpoints],
    admitUpgrade(request) {
      const { caller, over } = tenants.gate.admit(arrivalOf(request));
      return { over, access: accessOf(caller) };
    },
    senderOf: request => tenants.gate.senderOf(arrivalOf(request)),
    mostBytes({ method, url = '/', headers }) {
      const large = tenants.endpoints.find(
        each => each.mostBytes && each.method === method && each.path === url,
      );
      const key = large && keyOf(headers.authorization, url, url);
      return key !== undefined && tenants.whoHas(key)?.role === 'operator' ? large?.mostBytes : undefined;
    },
    devnetAccess: c => accessOf(admissionOf(c)?.caller),
    whoHas: tenants.whoHas,
    callbacksInFlight: tenants.callbacksInFlight,
    stop() {
      stopWiping();
      tenants.stop();
    },
  };
}

/** A kill, or another program that reads the database, may have ended a wipe before its end. */
function wipeAgain({ sandbox, log }: Pick<Parts, 'sandbox' | 'log'>): void {
  wipeTraces(sandbox.db).catch(error =>
    log.error(
      { err: String(error) },
      'the traces of a forgotten VASP could not be wiped, will be tried again',
    ),
  );
}

const accessOf = (caller: Caller | undefined): DevnetAccess =>
  caller?.role === 'operator' ? 'everything' : 'reading and sending';
