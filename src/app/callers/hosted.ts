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
  const { gate, limited, ...tenants } = createTenants({ sandbox, log, settings });
  const { addressOf } = trustedProxies(config.trustedProxies);
  const devnetCallerOf = (caller: Caller | undefined): DevnetCaller => ({
    access: caller?.role === 'operator' ? 'everything' : 'reading and sending',
    owner: caller?.vaspId ?? '',
    turns: gate.frameTurns(caller),
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
    ...tenants,
    callerOf(c) {
      const { incoming } = (c.env ?? {}) as Bindings;
      const { caller, over } = admissionOf(c) ?? {};
      return { caller, address: incoming ? addressOf(incoming) : '', ...(over ? { over } : {}) };
    },
    vaspOf(request) {
      const { key } = arrivalOf(request);
      return key === undefined ? undefined : tenants.vaspOf(key);
    },
    entry: entry(gate, addressOf),
    endpoints: endpoints => [...limited(endpoints), ...tenants.endpoints],
    admitUpgrade(request) {
      const { caller, over } = gate.admit(arrivalOf(request));
      gate.countSocket(caller, request.socket);
      return { over, ...devnetCallerOf(caller) };
    },
    inTurn: gate.inTurn,
    senderOf: request => gate.senderOf(arrivalOf(request)),
    maxBytes({ method, url = '/', headers }) {
      const large = tenants.endpoints.find(each => each.maxBytes && each.method === method && each.path === url);
      const key = large && keyOf(headers.authorization, url, url);
      return key !== undefined && tenants.whoHas(key)?.role === 'operator' ? large?.maxBytes : undefined;
    },
    devnetCaller: c => devnetCallerOf(admissionOf(c)?.caller),
  };
};
