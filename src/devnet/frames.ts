import type { RawData, WebSocket } from 'ws';

/**
 * Serves the frames of a connection, at most `atOnce` at the same time. The others wait, and nothing more is read from the
 * connection until each of them is begun.
 */
export function serveFrames(
  client: WebSocket,
  atOnce: number,
  serve: (frame: RawData) => Promise<void>,
): void {
  let waiting: RawData[] = [];
  let running = 0;

  function beginNext(): void {
    while (running < atOnce && waiting.length > 0) {
      running += 1;
      void serve(waiting.shift()!).finally(() => {
        running -= 1;
        beginNext();
      });
    }
    if (waiting.length === 0) client.resume();
    else client.pause();
  }

  client.on('message', (frame: RawData) => {
    waiting.push(frame);
    beginNext();
  });
  client.on('close', () => {
    waiting = [];
  });
}
