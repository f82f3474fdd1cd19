const LOOPBACK = 'localhost,127.0.0.1,::1,[::1]';

/**
 * With `NODE_USE_ENV_PROXY` Node's `fetch` uses `HTTP_PROXY` for this machine too, where no proxy gets through. It reads these
 * variables again at every call.
 */
export function useNoProxyForLoopback(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of ['no_proxy', 'NO_PROXY'])
    if (!env[name]?.endsWith(LOOPBACK)) env[name] = [env[name], LOOPBACK].filter(Boolean).join(',');
}
