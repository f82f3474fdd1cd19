import type { Dispatcher } from 'undici';
import send from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';

/** The index of undici loads fetch, WebSocket and mocks as well, at every start. */
export { Agent };

type Options = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Follows no redirect. Throws the errors of undici and the reason of the signal. */
export function request(dispatcher: Agent, url: string, options: Options): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return send.call(dispatcher, { origin, path: pathname + search, ...options });
}
