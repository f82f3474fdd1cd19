/** Server-sent events: `text/event-stream` of the HTML standard. */

export interface StreamedEvent<D = unknown> {
  /** Sent back as `Last-Event-ID` by a reader that connects again. */
  id: string;
  /** What listeners listen to. */
  event: string;
  data: D;
}

/** `undefined` keeps the connection alive, and says nothing. */
export type EventStream<D = unknown> = AsyncIterable<StreamedEvent<D> | undefined>;

const HEADERS = {
  'content-type': 'text/event-stream; charset=UTF-8',
  'cache-control': 'no-store',
  // A proxy that gathers the answer before it hands it on would show nothing.
  'x-accel-buffering': 'no',
};
const KEEP_ALIVE = ':\n\n';

const textOf = ({ id, event, data }: StreamedEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The next event is asked for when the reader has taken the one before: who reads slowly fills no memory. `hungUp` is
 * aborted when nobody reads any more.
 */
export function streamed(events: EventStream, hungUp: AbortController): Response {
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value === undefined ? KEEP_ALIVE : textOf(value)));
      },
      async cancel() {
        hungUp.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: HEADERS });
}

/** The same events, each with its data changed. */
export async function* mapData(events: EventStream, change: (data: unknown) => unknown): EventStream {
  for await (const event of events) yield event && { ...event, data: change(event.data) };
}
