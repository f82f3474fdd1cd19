import { setMaxListeners } from 'node:events';

/** The open connections of each key: streams, waiting reads, WebSockets. */
export type OpenConnections = ReturnType<typeof openConnections>;

export function openConnections() {
  const controllers = new Map<string, AbortController>();
  return {
    /** Aborts when the connections of the key are closed. */
    signalOf(key: string): AbortSignal {
      const found = controllers.get(key);
      if (found) return found.signal;
      const controller = new AbortController();
      // Each open connection listens to it.
      setMaxListeners(0, controller.signal);
      controllers.set(key, controller);
      return controller.signal;
    },
    close(key: string): void {
      controllers.get(key)?.abort();
      controllers.delete(key);
    },
  };
}
