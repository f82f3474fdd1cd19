import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A call on its way: killed before the peer has it, or after the peer has answered and before the answer arrives. */
export interface WireTrap {
  path: RegExp;
  when: 'before' | 'after';
  /** Resolves when the program is gone. */
  kill(): Promise<void>;
}

/** Passes calls on to another address, and kills at one of them. */
export interface Wire {
  url: string;
  passTo(target: string): void;
  /** Resolves when the trap has killed. Later calls pass. */
  trap(trap: WireTrap): Promise<void>;
  close(): Promise<void>;
}

export async function startWire(host: string): Promise<Wire> {
  let target = '';
  let armed: (WireTrap & { done(): void }) | undefined;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = 'GET', url = '' } = request;
    const trap = armed?.path.test(`${method} ${url}`) ? armed : undefined;
    if (trap) armed = undefined;
    const send = async () => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const init = { method, headers: headers as Record<string, string> };
      return fetch(target + url, method === 'GET' ? init : { ...init, body: Buffer.concat(chunks) });
    };
    if (trap) {
      if (trap.when === 'after') await (await send()).text();
      await trap.kill();
      response.destroy();
      return trap.done();
    }
    const answer = await send();
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://${host}:${port}`,
    passTo(next) {
      target = next;
    },
    trap: trap =>
      new Promise(done => {
        armed = { ...trap, done };
      }),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
