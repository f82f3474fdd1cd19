import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../http/listening.ts';

/** The action of the proxy for one call: pass it on (undefined), answer itself, or pass it on and change the answer. */
export interface RpcAnswer {
  /** Body to answer with, as JSON. Default: the server's own. */
  body?: unknown;
  status?: number;
  headers?: Record<string, string>;
  /** Not JSON. */
  text?: string;
  /** The call reaches the server, but the answer never comes: the connection is cut. */
  cut?: boolean;
}
export type RpcRule = (
  call: { id: number; method: string; params: unknown[] },
  answered: () => Promise<{ result?: unknown; error?: unknown }>,
) => RpcAnswer | undefined | Promise<RpcAnswer | undefined>;

export interface RpcProxy {
  readonly url: string;
  /** Replaces the rule; undefined: everything is passed on. */
  rule(rule: RpcRule | undefined): void;
  close(): Promise<void>;
}

/** What throws cuts the connection. */
type HttpRule = (
  call: { method: string; url: string; text: string },
  answered: () => Promise<string>,
) => RpcAnswer | undefined | Promise<RpcAnswer | undefined>;

export interface HttpProxy {
  readonly url: string;
  passTo(target: string): void;
  rule(rule: HttpRule | undefined): void;
  close(): Promise<void>;
}

/** HTTP in front of a real server. */
export async function startHttpProxy(target = '', address?: string): Promise<HttpProxy> {
  let passedTo = target;
  let current: HttpRule | undefined;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const own = { status: 200, type: 'application/json' };
    const answered = async () => {
      const init = { method, headers: headers as Record<string, string> };
      const answer = await fetch(passedTo + url, method === 'GET' ? init : { ...init, body: text });
      own.status = answer.status;
      own.type = answer.headers.get('content-type') ?? own.type;
      return answer.text();
    };
    const rule = await current?.({ method, url, text }, answered);
    const given = rule?.text ?? (rule?.body === undefined ? undefined : JSON.stringify(rule.body));
    const body = given ?? (await answered());
    if (rule?.cut) return void response.destroy();
    const { status, type } = given === undefined ? own : { status: 200, type: 'application/json' };
    response.writeHead(rule?.status ?? status, { 'content-type': type, ...rule?.headers }).end(body);
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listening(server, address);
  return {
    url,
    close,
    passTo(next) {
      passedTo = next;
    },
    rule(rule) {
      current = rule;
    },
  };
}

/** JSON-RPC over HTTP in front of a real node: for what real nodes do only on bad days. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const proxy = await startHttpProxy(target);
  return {
    ...proxy,
    rule: rule =>
      proxy.rule(rule && (({ text }, answered) => rule(JSON.parse(text), async () => JSON.parse(await answered())))),
  };
}
