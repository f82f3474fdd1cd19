/** Reads server-sent events, as the HTML standard writes them. */

export interface ReceivedEvent<D> {
  id: string;
  event: string;
  data: D;
}

/** Ends with the reason of `signal` when it aborts: that of a request is forgotten once the request is collected. */
export async function* receivedEvents<D>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedEvent<D>> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream(), signal && { signal })) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map(fieldOf));
      const data = fields.get('data');
      if (data !== undefined)
        yield { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) as D };
    }
  }
}

/** A comment has no name. */
function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
