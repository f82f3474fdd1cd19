import type { IncomingMessage } from 'node:http';
import type { DevnetCaller } from '../../devnet/access.ts';
import { devnetFault } from '../../fault-injection/faulty-vasp.ts';
import { type Arrival, admissionOf, type Bindings, type Caller, entry, keyOf } from '../../http/caller.ts';
import { trustedProxies } from '../../http/proxies.ts';
import { createTenants } from '../../tenants/create.ts';
import type { CreateCallers } from './callers.ts';

export const hostedCallers: CreateCallers = ({ config, sandbox, log }) => {
  const { registration, cell, quotas, auditRetentionMs, operatorKeyHash = '' } = config;
  const settings = { registration, cell, quotas, auditRetentionMs, operatorKeyHash };
  const tenants = createTenants({ sandbox, log, settings });
  const { addressOf } = trustedProxies(config.trustedProxies);
  const devnetCallerOf = (caller: Caller | undefined): DevnetCaller => ({
    access: caller?.role === 'operator' ? 'everything' : 'reading and sending',
    owner: caller?.vaspId ?? '',
    turns: tenants.gate.frameTurns(caller),
    beforeSending: transaction => {
      if (caller) tenants.beforeSending(transaction, caller.vaspId);
    },
    faultOn: (symbol, method) =>
      caller?.role === 'vasp' ? devnetFault(sandbox.faults, caller.vaspId, symbol, method) : undefined,
  });
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
    vaspOf(request) {
      const { key } = arrivalOf(request);
      return key === undefined ? undefined : tenants.vaspOf(key);
    },
    entry: entry(tenants.gate, addressOf),
    endpoints: endpoints => [...tenants.limited(endpoints), ...tenants.endpoints],
    admitUpgrade(request) {
      const { caller, over } = tenants.gate.admit(arrivalOf(request));
      tenants.gate.countSocket(caller, request.socket);
      return { over, ...devnetCallerOf(caller) };
    },
    inTurn: tenants.gate.inTurn,
    senderOf: request => tenants.gate.senderOf(arrivalOf(request)),
    maxBytes({ method, url = '/', headers }) {
      const large = tenants.endpoints.find(each => each.maxBytes && each.method === method && each.path === url);
      const key = large && keyOf(headers.authorization, url, url);
      return key !== undefined && tenants.whoHas(key)?.role === 'operator' ? large?.maxBytes : undefined;
    },
    beforeSending: tenants.beforeSending,
    beforeVerifying: tenants.beforeVerifying,
    beforeReporting: tenants.beforeReporting,
    devnetCaller: c => devnetCallerOf(admissionOf(c)?.caller),
    whoHas: tenants.whoHas,
    callbacksInFlight: tenants.callbacksInFlight,
    stop: tenants.stop,
  };
};
