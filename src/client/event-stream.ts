/** One server-sent event, as the HTML standard defines it. */
export interface ReceivedEvent<D> {
  id: string;
  event: string;
  data: D;
}

/** Of one event. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Throws the reason of `signal` when it aborts: the abort of a request is lost once the request is collected. */
export async function* receivedEvents<D>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedEvent<D>> {
  // A start would load the streams of the platform with it.
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const messages = body
    .pipeThrough(new TextDecoderStream(), signal && { signal })
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_CHARACTERS }));
  for await (const { id = '', event = '', data } of messages) yield { id, event, data: JSON.parse(data) as D };
}
