import type { Network } from '../deps.ts';

/** Null: the node does not answer. */
export async function headOf(network: Network) {
  const chain = await network.chain();
  const head = await chain.head().catch(() => undefined);
  return head ? { height: head.height, hash: head.hash } : null;
}
/** In ms. The first block of an embedded chain has a made-up time, so the chain is as old as its first transaction. */
export function headAge(
  head: { height: number; at: number } | undefined,
  isEmbedded: boolean,
  now: number,
): number | null {
  if (!head) return null;
  return isEmbedded && head.height === 0 ? 0 : Math.max(0, now - head.at);
}
