import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';

/** Server-sent events: `text/event-stream` of the HTML standard. */

export interface StreamedEvent<D = unknown> {
  /** Sent back as `Last-Event-ID` by a reader that connects again. */
  id: string;
  /** The name that the reader listens for. */
  event: string;
  data: D;
}

/** `undefined` is a heartbeat: it keeps the connection alive and carries nothing. */
export type EventStream<D = unknown> = AsyncIterable<StreamedEvent<D> | undefined>;

const HEADERS = {
  'content-type': 'text/event-stream; charset=UTF-8',
  'cache-control': 'no-store',
  // A proxy that buffers the answer would show nothing.
  'x-accel-buffering': 'no',
};
const HEARTBEAT = ':\n\n';

interface Connection {
  /** Is aborted when the reader has hung up, and when the stream has ended. */
  gone: AbortController;
  /** Aborts when the connection has ended, or may no longer be used. */
  over: AbortSignal;
  onFailure(error: unknown): void;
}

const textOf = ({ event, data, id }: StreamedEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;

/**
 * Asks for the next event when the reader has taken the one before, so that a slow reader fills no memory. The end of the
 * connection ends `events`, also while nobody reads.
 */
export function streamed(c: Context, events: EventStream, { gone, over, onFailure }: Connection): Response {
  const response = streamSSE(c, async stream => {
    stream.onAbort(() => gone.abort());
    const end = () => stream.abort();
    over.addEventListener('abort', end);
    if (over.aborted) end();
    try {
      for await (const event of events) {
        if (event) await stream.write(textOf(event));
        else await stream.write(HEARTBEAT);
        if (stream.aborted) return;
      }
    } catch (error) {
      onFailure(error);
    } finally {
      over.removeEventListener('abort', end);
      gone.abort();
    }
  });
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}
