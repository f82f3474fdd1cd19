import { createServer, type Socket } from 'node:net';
import { listening } from '../http/listening.ts';

/** The `index`-th request of its connection, from 0. */
export interface RawRequest {
  text: string;
  index: number;
  connection: number;
}
export type RawBehave = (socket: Socket, request: RawRequest) => void;

export interface RawServer {
  url: string;
  requests: RawRequest[];
  behave(next: RawBehave): void;
  close(): Promise<void>;
}

/** A peer that sends exactly the bytes that the test says. */
export async function startRawServer(): Promise<RawServer> {
  const requests: RawRequest[] = [];
  let behave: RawBehave = socket => void socket.end();
  let connections = 0;
  const server = createServer(socket => {
    const connection = connections++;
    let index = 0;
    let received = '';
    socket.on('data', chunk => {
      received += chunk.toString('latin1');
      for (let length = lengthOf(received); length !== undefined; length = lengthOf(received)) {
        const request = { text: received.slice(0, length), index: index++, connection };
        received = received.slice(length);
        requests.push(request);
        behave(socket, request);
      }
    });
  });
  const { url, close } = await listening(server);
  return {
    url,
    close,
    requests,
    behave(next) {
      behave = next;
    },
  };
}

/** Of the first whole request; undefined: it is not complete. */
function lengthOf(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = head + 4 + Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
  return received.length < length ? undefined : length;
}

/** A whole answer with a right length, unless `headers` says another. */
export const answerOf = (body: string | Buffer, headers: Record<string, string> = {}, status = '200 OK'): Buffer => {
  const bytes = Buffer.from(body);
  const all = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), bytes]);
};
