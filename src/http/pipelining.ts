import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The most requests of one connection that wait for their answers. */
export const MOST_PIPELINED = 8;

export type Place = 'free' | 'too many' | 'closing';

/**
 * Answers go out in the order of the requests, so each one waits for those before it and holds memory meanwhile. Once there
 * are too many, the connection is to be closed, and nothing more of it is read.
 */
export function pipelining(): (request: IncomingMessage, response: ServerResponse) => Place {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MOST_PIPELINED + 1) return 'closing';
    if (count > MOST_PIPELINED) {
      socket.pause();
      return 'too many';
    }
    response.once('close', () => waiting.set(socket, waiting.get(socket)! - 1));
    return 'free';
  };
}
