import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Callback } from '../../../src/contract/callbacks.ts';
import type { VaspOperation } from '../../../src/contract/vasp-api.ts';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { VASP_PATHS } from '../../../src/vasps/serve-vasp.ts';
import { servedAlone } from './served-alone.ts';
import { type StandInVasp, standInVasp } from './stand-in-vasp.ts';

/** The answer of the VASP to one request: `never` leaves it open, a promise holds it until it resolves. */
export type Reply = ScriptedAnswer | 'never' | 'ordinary' | Promise<unknown>;
interface ScriptedAnswer {
  status?: number;
  body: object | string;
  headers?: Record<string, string>;
}

export interface Received {
  operation: VaspOperation;
  headers: Headers;
  /** The body as it came. */
  text: string;
  body: { verificationUuid?: string; callbackType?: string; data?: Record<string, unknown> };
  uuid: string | undefined;
  /** Milliseconds, monotonic. */
  at: number;
}

/** The tested VASP as a small real server: ordinary answers, unless a test scripts another one. */
export interface TestedVasp {
  readonly url: string;
  readonly endpoints: ReturnType<typeof endpointsAt>;
  /** Ordinary answers, and what its callbacks were. */
  readonly ordinary: StandInVasp;
  /** In the order of arrival. */
  received(operation: VaspOperation, uuid?: string): Received[];
  /** The callbacks about one verification, in the order of arrival, repeated ones too. */
  callbacks(uuid: string): Callback[];
  /** Resolves when so many requests of that operation have arrived. */
  arrived(operation: VaspOperation, uuid: string | undefined, count: number): Promise<Received[]>;
  /** The next answers, one after another; the last one stays. `uuid` undefined: for all verifications. */
  script(operation: VaspOperation, uuid: string | undefined, ...replies: Reply[]): void;
  /** Its port is closed, as of a program that has ended. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export type Authorization = { header: string; token?: string };

const OPERATIONS = Object.entries(VASP_PATHS) as [VaspOperation, string][];

export async function testedVasp(authorization: Authorization = { header: 'Authorization' }): Promise<TestedVasp> {
  const ordinary = standInVasp();
  const served = servedAlone(ordinary, authorization);
  const all: Received[] = [];
  const scripts = new Map<string, Reply[]>();
  const listeners = new Set<() => void>();

  const app = new Hono();
  for (const [operation, path] of OPERATIONS)
    app.post(path, async c => {
      const text = await c.req.text();
      const body = objectOf(text);
      if (!body) return c.json({ error: 'no JSON' }, 400);
      const uuid = body.verificationUuid ?? (body.data?.verificationUuid as string | undefined);
      all.push({ operation, headers: c.req.raw.headers, text, body, uuid, at: performance.now() });
      for (const listener of listeners) listener();
      const reply = nextReply(scripts, operation, uuid);
      if (reply === 'never') return new Promise<Response>(() => {});
      if (typeof reply === 'object' && 'body' in reply) return responseOf(reply);
      if (reply instanceof Promise) await reply;
      const init = { method: 'POST', headers: c.req.raw.headers, body: text };
      return served.fetch(new Request(c.req.url, init));
    });

  let server = await listen(app, 0);
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const received = (operation: VaspOperation, uuid?: string) =>
    all.filter(each => each.operation === operation && (uuid === undefined || each.uuid === uuid));
  return {
    url,
    endpoints: endpointsAt(url),
    ordinary,
    received,
    callbacks: uuid => received('callback', uuid).map(each => each.body as unknown as Callback),
    arrived: (operation, uuid, count) =>
      new Promise(resolve => {
        const look = () => {
          if (received(operation, uuid).length < count) return;
          listeners.delete(look);
          resolve(received(operation, uuid));
        };
        listeners.add(look);
        look();
      }),
    script: (operation, uuid, ...replies) => void scripts.set(`${operation} ${uuid ?? '*'}`, replies),
    down: () => shut(server),
    async up() {
      server = await listen(app, port);
    },
    close: () => shut(server),
  };
}

function nextReply(scripts: Map<string, Reply[]>, operation: VaspOperation, uuid: string | undefined): Reply {
  const replies = scripts.get(`${operation} ${uuid}`) ?? scripts.get(`${operation} *`) ?? [];
  return (replies.length > 1 ? replies.shift() : replies[0]) ?? 'ordinary';
}

function objectOf(text: string): Received['body'] | undefined {
  try {
    return JSON.parse(text) as Received['body'];
  } catch {
    return undefined;
  }
}

const responseOf = ({ status = 200, body, headers }: ScriptedAnswer) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

const listen = (app: Hono, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve(server as Server));
    server.once('error', reject);
  });

const shut = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
