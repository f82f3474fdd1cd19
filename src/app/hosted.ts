import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteWithoutTraces } from '../db/rewrite.ts';
import { authenticate } from '../enclave/vasps/authenticate.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { admissionOf, type Bindings, entry, keyOf } from '../http/entry.ts';
import type { Admitted } from '../http/serve.ts';
import type { AdmitUpgrade } from '../http/upgrade.ts';
import type { Log } from '../kernel/log.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { createTenants } from '../tenants/create.ts';
import type { Config } from './config.ts';
import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from './development-wallets.ts';

/** Who calls: in the local mode everybody may, in the hosted mode the gate decides. */
export interface Callers {
  callerOf(c: Context): Admitted;
  /** Before all routes. Undefined: nothing is checked there. */
  entry?: MiddlewareHandler;
  endpoints(endpoints: readonly Endpoint[]): Endpoint[];
  /** Hosted mode: may this WebSocket open? */
  admitUpgrade?: AdmitUpgrade;
  /** Hosted mode: who has this key. */
  whoHas?(key: string): SignIn | undefined;
  stop(): void;
}

/** D-01 */
export const localCallers = (vasps: VaspStore, { vasp }: Config): Callers => ({
  callerOf: c => ({
    caller: { role: 'local', vaspId: authenticate(vasps, vasp.vaspId, c.req.header('authorization')) },
    address: '',
  }),
  endpoints: endpoints => [...endpoints],
  stop: () => {},
});

interface Parts {
  config: Config;
  sandbox: SandboxDeps;
  log: Log;
}

export function hostedCallers({ config, ...parts }: Parts): Callers {
  deleteWithoutTraces(parts.sandbox.db);
  if (config.ethereum.mnemonic === DEVELOPMENT_MNEMONIC || config.xrpl.seed === DEVELOPMENT_SEED)
    parts.log.warn({}, 'ROBOT_MNEMONIC or XRPL_SEED is the development value, which is public: set your own');
  const { registration, cell, quotas, operatorKeyHash = '' } = config;
  const tenants = createTenants({ ...parts, settings: { registration, cell, quotas, operatorKeyHash } });
  const addressOf = (incoming: IncomingMessage): string => incoming.socket.remoteAddress ?? '';
  return {
    callerOf(c) {
      const { incoming } = (c.env ?? {}) as Bindings;
      const { caller, over } = admissionOf(c) ?? {};
      return { caller, address: incoming ? addressOf(incoming) : '', ...(over ? { over } : {}) };
    },
    entry: entry(tenants.gate, addressOf),
    endpoints: endpoints => [...tenants.limited(endpoints), ...tenants.endpoints],
    admitUpgrade(request) {
      const url = request.url ?? '/';
      const path = url.split('?')[0]!.replace(/(.)\/$/, '$1');
      const key = keyOf(request.headers.authorization, path, url);
      const arrival = { method: 'GET', path, key, signIn: undefined, address: addressOf(request) };
      return tenants.gate.admit(arrival).over;
    },
    whoHas: tenants.whoHas,
    stop: tenants.stop,
  };
}
