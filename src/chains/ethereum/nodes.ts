import { elapsedMs } from '../../kernel/clock.ts';
import { ChainUnreachable } from '../port.ts';
import type { EthereumNode } from './node.ts';

/** A node that failed or lags is left for this long. */
const COOLDOWN_MS = 30_000;
const COMPARE_HEADS_EVERY_MS = 30_000;
const MAX_BLOCKS_BEHIND = 3;
/** Of a node whose next block is overdue. */
const MAX_BLOCKS_BEHIND_OVERDUE = 1;

export type EthereumNodes<Node extends { node: EthereumNode }> = Pick<
  ReturnType<typeof ethereumNodes<Node>>,
  'ask' | 'decide'
>;

/**
 * The configured nodes, in order of preference. Every decision is made with one node: when it fails there, it is
 * made again as a whole with the next node.
 */
export function ethereumNodes<Node extends { node: EthereumNode }>(nodes: readonly Node[]) {
  const leftUntil = new Map<Node, number>();
  let comparedAt = Number.NEGATIVE_INFINITY;
  const isLeft = (node: Node) => (leftUntil.get(node) ?? 0) > elapsedMs();
  const leave = (node: Node, forMs = COOLDOWN_MS) => void leftUntil.set(node, elapsedMs() + forMs);
  const inOrder = () => {
    const left = new Set(nodes.filter(isLeft));
    return [...nodes.filter(node => !left.has(node)), ...left];
  };

  /** Throws the last node's `ChainUnreachable` when all of them fail; every other error at once. */
  async function decide<T>(decision: (node: Node) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const node of inOrder())
      try {
        return await decision(node);
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error;
        leave(node, error.retryAfterMs);
        failure = error;
      }
    throw failure;
  }

  return {
    decide,
    /** The same for a decision that takes only the node. */
    ask: <T>(decision: (node: EthereumNode) => Promise<T>) => decide(({ node }) => decision(node)),
    /**
     * Leaves a node whose head is behind those of the others. Asks them once in 30 seconds, and always when the next
     * block is overdue.
     */
    async compareHeads(node: Node, height: number, isOverdue: boolean): Promise<void> {
      if (nodes.length === 1) return;
      if (!isOverdue && elapsedMs() - comparedAt < COMPARE_HEADS_EVERY_MS) return;
      comparedAt = elapsedMs();
      const others = nodes.filter(other => other !== node);
      const heights = await Promise.all(
        others.map(other => other.node.call<string>('eth_blockNumber').then(Number, () => 0)),
      );
      const maxBehind = isOverdue ? MAX_BLOCKS_BEHIND_OVERDUE : MAX_BLOCKS_BEHIND;
      if (Math.max(...heights) > height + maxBehind) leave(node);
    },
    close: async () => void (await Promise.all(nodes.map(({ node }) => node.close()))),
  };
}
