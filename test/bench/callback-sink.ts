import { createServer, type Server } from 'node:http';
import { atEnd } from './process.ts';

/** Callback and status address of the tested VASP: counts callbacks, notes their time, and answers PENDING. */
export class CallbackSink {
  received = 0;
  lastAt = 0;
  readonly heardAt = new Map<string, number>();
  readonly #server: Server;
  #waiting: { count: number; done: () => void } | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        const id = /\?id=(.+)/.exec(request.url!)?.[1];
        const uuid = id ?? /"verificationUuid":"([^"]+)"/.exec(body)?.[1];
        const isCallback = id !== undefined || body.includes('"callbackType"');
        const answer = isCallback ? { result: true } : { verificationUuid: uuid, transactionStatus: 'PENDING' };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        if (isCallback) this.#count(uuid);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    atEnd(() => {
      this.#server.close();
      this.#server.closeAllConnections();
    });
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}/callback`;
  }

  /** Resolves when `count` callbacks have come since the start. Throws after `limitMs`. */
  async has(count: number, limitMs = 60_000): Promise<void> {
    if (this.received >= count) return;
    await new Promise<void>((resolve, reject) => {
      const error = () => reject(new Error(`${this.received} of ${count} callbacks after ${limitMs} ms`));
      const timer = setTimeout(error, limitMs);
      this.#waiting = {
        count,
        done: () => {
          clearTimeout(timer);
          resolve();
        },
      };
    });
  }

  /** The moment of the callback of this verification. */
  async heardOf(verificationUuid: string, limitMs = 10_000): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const at = this.heardAt.get(verificationUuid);
      if (at !== undefined) return at;
      if (performance.now() - startedAt > limitMs)
        throw new Error(`no callback of ${verificationUuid} after ${limitMs} ms`);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }

  #count(verificationUuid: string | undefined): void {
    this.received++;
    this.lastAt = performance.now();
    if (verificationUuid) this.heardAt.set(verificationUuid, this.lastAt);
    if (this.#waiting && this.received >= this.#waiting.count) this.#waiting.done();
  }
}
