import { setMaxListeners } from 'node:events';

/** The open connections of each key: streams, waiting reads, WebSockets. */
export interface OpenConnections {
  /** Aborts when the connections of the key are closed. */
  signalOf(key: string): AbortSignal;
  close(key: string): void;
}

export function openConnections(): OpenConnections {
  const controllers = new Map<string, AbortController>();
  return {
    signalOf(key) {
      const found = controllers.get(key);
      if (found) return found.signal;
      const controller = new AbortController();
      // Each open connection listens to it.
      setMaxListeners(0, controller.signal);
      controllers.set(key, controller);
      return controller.signal;
    },
    close(key) {
      controllers.get(key)?.abort();
      controllers.delete(key);
    },
  };
}
