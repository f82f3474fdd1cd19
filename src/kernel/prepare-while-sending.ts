import { nextTurn } from './interval.ts';

/**
 * Sends the parts one after the other, and prepares each while the part before it is sent. After an error no part is
 * sent any more; it is thrown when the preparation has ended, too.
 */
export async function prepareWhileSending<T>(
  parts: readonly T[],
  { prepare, send }: { prepare: (part: T) => Promise<void>; send: (part: T) => Promise<void> },
): Promise<void> {
  const prepared = async (part: T | undefined) => part !== undefined && (await prepare(part));
  await prepared(parts[0]);
  for (const [i, part] of parts.entries()) {
    // The calls of one turn go out together in the next one, and a preparation may keep the processor busy.
    const next = () =>
      nextTurn()
        .then(nextTurn)
        .then(() => prepared(parts[i + 1]));
    for (const end of await Promise.allSettled([send(part), next()]))
      if (end.status === 'rejected') throw end.reason;
  }
}
