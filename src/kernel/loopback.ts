const LOOPBACK = 'localhost,127.0.0.1,::1,[::1]';

/**
 * With `NODE_USE_ENV_PROXY` Node's `fetch` uses `HTTP_PROXY` for this machine too, where no proxy gets through. It reads these
 * variables again at every call.
 */
export function useNoProxyForLoopback(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of ['no_proxy', 'NO_PROXY'])
    if (!env[name]?.endsWith(LOOPBACK)) env[name] = [env[name], LOOPBACK].filter(Boolean).join(',');
}

/** Where a program is reached that listens at every address: Windows opens no page of 0.0.0.0. */
const REACHED_AT: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address of a program on this machine. `host`: where it listens. */
export function servedAt(host: string, port: number | string): string {
  const name = REACHED_AT[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
