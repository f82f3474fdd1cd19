import { Hono } from 'hono';
import { type Client, client } from '../client/client.ts';
import { actAs } from '../contract/tenancy.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { mount } from '../http/mount.ts';
import type { HttpDeps } from '../http/serve.ts';

/**
 * The API inside this process, for a run that acts for a VASP. Its calls leave no exchanges and meet no fault. The
 * routes are mounted with the first call.
 */
export function inProcessApi(
  endpoints: () => readonly Endpoint[],
  deps: Pick<HttpDeps, 'exchanges' | 'now' | 'random' | 'log'>,
): (vaspId: string) => Client {
  let app: Hono | undefined;
  const mounted = (): Hono => {
    if (app) return app;
    app = new Hono();
    mount(app, endpoints(), {
      ...deps,
      callerOf: c => ({
        caller: { role: 'local', vaspId: actAs(c.req.header('authorization')!.slice('Bearer '.length)) },
        address: '',
      }),
      exchanges: { record: () => {}, position: deps.exchanges.position },
      onServed: () => {},
    });
    return app;
  };
  return vaspId =>
    client('http://robot-vasp.internal', { apiKey: vaspId, send: request => mounted().fetch(request) });
}
