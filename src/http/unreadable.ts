import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { later } from '../kernel/clock.ts';
import { type Answer, lastHeaders, rawAnswer } from './answer.ts';

/** D-05: the answers to what Node's parser refuses, so that no request of ours sees it. */

const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  text: JSON.stringify({ code, message }),
});

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const BY_CODE: Readonly<Record<string, Answer>> = {
  HPE_INVALID_METHOD: refusal(
    400,
    'BAD-REQUEST',
    'The method is not known. Methods are written in capital letters: GET, POST, PUT, PATCH, DELETE.',
  ),
  HPE_INVALID_CHUNK_SIZE: refusal(400, 'BAD-REQUEST', 'The size of a chunk of the body is not valid.'),
  HPE_HEADER_OVERFLOW: refusal(
    431,
    'HEADERS-TOO-LARGE',
    'The request line and the headers should have less than 16 KiB together.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(
    413,
    'PAYLOAD-TOO-LARGE',
    'The extensions of the chunks of the body should have less than 16 KiB together.',
  ),
  [TIMEOUT]: refusal(
    408,
    'REQUEST-TIMEOUT',
    'The request did not arrive in time: its headers within 15 s, all of it within 60 s.',
  ),
};
const NO_HTTP = refusal(400, 'BAD-REQUEST', 'The request is not valid HTTP/1.1.');
const UNEXPECTED = refusal(
  417,
  'EXPECTATION-FAILED',
  'The header `Expect` should be 100-continue. Send the request without it.',
);
const NO_PROXY: Answer = {
  ...refusal(405, 'METHOD-NOT-ALLOWED', 'This program is no proxy. Send the request without CONNECT.'),
  headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
};

/** The sender gets this long to read the answer before the connection is closed. */
const READ_WITHIN_MS = 1_000;

/** Answers what no listener of requests sees. */
export function answerUnreadable(server: Server): void {
  /** The newest answer of each open connection. */
  const newest = new Map<Duplex, ServerResponse>();
  const broken = new Set<Duplex>();
  server.on('request', ({ socket }, response) => {
    if (!newest.has(socket)) socket.once('close', () => void newest.delete(socket));
    newest.set(socket, response);
  });
  server.on('checkExpectation', (_, response) => end(response, UNEXPECTED));
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    close(socket, NO_PROXY);
  });
  // Node looks at the clock before it reads what came while this process stood still.
  server.on('clientError', (error, socket) => {
    if ((error as NodeJS.ErrnoException).code !== TIMEOUT) return refuse(error, socket);
    const before = newest.get(socket);
    const isInBody = before?.req.complete === false;
    setImmediate(() => {
      const due = newest.get(socket);
      if (due === before && !(isInBody && due?.req.complete)) return refuse(error, socket);
      if (!due!.req.complete) later(server.requestTimeout, () => due!.req.complete || refuse(error, socket));
    });
  });
  // The parser goes on after its first error, and reports more of them.
  function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    if (broken.has(socket)) return;
    broken.add(socket);
    socket.pause().once('close', () => void broken.delete(socket));
    const answer = BY_CODE[error.code ?? ''] ?? NO_HTTP;
    const due = newest.get(socket);
    if (!due || due.writableFinished) return close(socket, answer);
    // What is written of an answer stays. Nothing can be added to it.
    if (due.headersSent) return close(socket);
    if (!due.req.complete) {
      // Node forgets a request that is answered, also one whose body never comes.
      due.once('close', () => due.req.destroy());
      return end(due, answer);
    }
    due.once('close', () => close(socket, answer));
  }
}

/** After the answers to the earlier requests of the connection, which ends with it. */
function end(response: ServerResponse, answer: Answer): void {
  response.on('error', () => response.destroy());
  response.writeHead(answer.status, lastHeaders(answer)).end(answer.text);
}

function close(socket: Duplex, answer?: Answer): void {
  if (socket.writable) socket.end(answer && rawAnswer(answer));
  socket.once(
    'close',
    later(READ_WITHIN_MS, () => socket.destroy()),
  );
}
