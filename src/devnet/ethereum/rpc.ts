import { Agent, request } from 'undici';

export interface NodeRpc {
  /** The `result` of one call. Throws on an error answer and when the node cannot be reached. */
  call<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
  close(): Promise<void>;
}

/** JSON-RPC to our own node on this machine; `timeoutMs` bounds every call. */
export function nodeRpc(url: string, timeoutMs = 30_000): NodeRpc {
  const dispatcher = new Agent({ connections: 16, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  return {
    async call<T>(method: string, ...params: unknown[]) {
      const { body } = await request(url, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const answer = (await body.json()) as { result?: T; error?: { message: string } };
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result as T;
    },
    close: () => dispatcher.destroy(),
  };
}
