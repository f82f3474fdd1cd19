import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { authenticate } from '../enclave/vasps/authenticate.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { admissionOf, type Bindings, entry } from '../http/entry.ts';
import type { Admitted } from '../http/serve.ts';
import type { Log } from '../kernel/log.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { createTenants } from '../tenants/create.ts';
import type { Config } from './config.ts';

/** Who calls: in the local mode everybody may, in the hosted mode the gate decides. */
export interface Callers {
  callerOf(c: Context): Admitted;
  /** Before all routes. Undefined: nothing is checked there. */
  entry?: MiddlewareHandler;
  endpoints(endpoints: readonly Endpoint[]): Endpoint[];
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
    whoHas: tenants.whoHas,
    stop: tenants.stop,
  };
}
