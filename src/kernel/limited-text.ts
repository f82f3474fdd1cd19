const MIB = 1024 * 1024;

/** The text of an answer. Throws when it has more than `mostMiB`, and leaves the rest. */
export async function limitedText({ body }: Response, mostMiB: number): Promise<string> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > mostMiB * MIB) throw new Error(`the answer has more than ${mostMiB} MiB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
