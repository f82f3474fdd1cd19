import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** JSON-RPC over HTTP in front of a real node: for what real nodes do only on bad days. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let current: RpcRule | undefined;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const call = JSON.parse(text) as { id: number; method: string; params: unknown[] };
    const answered = async () => {
      const answer = await fetch(target, { method: 'POST', headers: JSON_TYPE, body: text });
      return (await answer.json()) as { result?: unknown; error?: unknown };
    };
    try {
      const rule = await current?.(call, answered);
      if (rule?.cut) {
        await answered();
        return void response.destroy();
      }
      const answer = rule?.text ?? JSON.stringify(rule?.body ?? (await answered()));
      response.writeHead(rule?.status ?? 200, { ...JSON_TYPE, ...rule?.headers }).end(answer);
    } catch {
      // The node does not answer.
      response.destroy();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rule(rule) {
      current = rule;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
