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
  /** Aborted when the reader is gone. */
  gone: AbortController;
  onFailure(error: unknown): void;
}

/** Streams share events: each is written down once. */
const texts = new WeakMap<StreamedEvent, string>();

function textOf(event: StreamedEvent): string {
  const text =
    texts.get(event) ?? `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\nid: ${event.id}\n\n`;
  texts.set(event, text);
  return text;
}

/** Asks for the next event when the reader has taken the one before, so that a slow reader fills no memory. */
export function streamed(c: Context, events: EventStream, { gone, onFailure }: Connection): Response {
  const response = streamSSE(c, async stream => {
    stream.onAbort(() => gone.abort());
    try {
      for await (const event of events) {
        if (event) await stream.write(textOf(event));
        else await stream.write(HEARTBEAT);
        if (stream.aborted) return;
      }
    } catch (error) {
      onFailure(error);
    }
  });
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

/** Changes the data of events, once for all streams that share them. */
export function dataMapper(change: (data: unknown) => unknown): (events: EventStream) => EventStream {
  const changed = new WeakMap<StreamedEvent, StreamedEvent>();
  const mapped = (event: StreamedEvent): StreamedEvent => {
    const result = changed.get(event) ?? { ...event, data: change(event.data) };
    changed.set(event, result);
    return result;
  };
  return async function* (events) {
    for await (const event of events) yield event && mapped(event);
  };
}
