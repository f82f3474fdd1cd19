const SMALL_CHUNKS = 1_000;
const LEAST_CHUNK_BYTES = 256;

/** Each chunk of a body costs the same time, however few bytes it has. */
export const areTiny = (chunks: number, bytes: number): boolean =>
  chunks > SMALL_CHUNKS && bytes < chunks * LEAST_CHUNK_BYTES;
