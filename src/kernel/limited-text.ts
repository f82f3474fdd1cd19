const MIB = 1024 * 1024;

/** The text of an answer. Throws when it has more than `maxMiB`, and leaves the rest. */
export async function limitedText({ body }: Response, maxMiB: number): Promise<string> {
  if (!body) return '';
  return new TextDecoder().decode(await limitedBytes(body as AsyncIterable<Uint8Array>, maxMiB, 'the answer'));
}

/** Throws when there are more than `maxMiB`, and leaves the rest. */
export async function limitedBytes(stream: AsyncIterable<Uint8Array>, maxMiB: number, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the stream.
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxMiB * MIB) throw new Error(`${name} has more than ${maxMiB} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
