import { WebSocket } from 'ws';
import { later } from '../../kernel/clock.ts';

export type BlockFeed = ReturnType<typeof blockFeed>;

const RECONNECT_MS = 100;
const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });

/**
 * Tells of new blocks, so that nobody has to ask the node again and again. The first listener opens the connection, which
 * is made anew when the node was restarted.
 */
export function blockFeed(nodeUrl: string) {
  const listeners = new Set<() => void>();
  let isClosed = false;
  let socket: WebSocket | undefined;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  function connect(): WebSocket {
    const made = new WebSocket(nodeUrl.replace(/^http/, 'ws'), { perMessageDeflate: false });
    made.on('open', () => made.send(SUBSCRIBE));
    made.on('message', wakeAll);
    // `close` follows.
    made.on('error', () => {});
    made.on('close', () => {
      if (isClosed) return;
      later(RECONNECT_MS, () => {
        if (!isClosed) socket = connect();
      });
    });
    return made;
  }

  return {
    /** Calls `wake` after every new block, and when the node is reached again. The returned function ends that. */
    onBlock(wake: () => void): () => void {
      listeners.add(wake);
      socket ??= connect();
      return () => void listeners.delete(wake);
    },
    /** The head has moved without a new block. */
    wakeAll,
    close(): void {
      isClosed = true;
      socket?.terminate();
    },
  };
}
