import type { Network } from '../deps.ts';

/** Null: the node does not answer. */
export async function headOf(network: Network) {
  const chain = await network.chain();
  const head = await chain.head().catch(() => undefined);
  return head ? { height: head.height, hash: head.hash } : null;
}
