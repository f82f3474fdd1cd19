import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../http/listening.ts';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Behave = (response: ServerResponse, asked: Asked) => void;

/** A peer that does to a request exactly what the test says. */
export interface Peer {
  url: string;
  asked: Asked[];
  behave(next: Behave): void;
  close(): Promise<void>;
}

export async function startPeer(): Promise<Peer> {
  const asked: Asked[] = [];
  let behave: Behave = response => response.end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    asked.push(received);
    behave(response, received);
  });
  const { url, close } = await listening(server);
  return {
    url,
    close,
    asked,
    behave(next) {
      behave = next;
    },
  };
}

export const json =
  (body: unknown, status = 200): Behave =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
export const raw =
  (body: string | Buffer, status = 200): Behave =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
