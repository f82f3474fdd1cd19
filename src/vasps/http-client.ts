import { Agent, request } from 'undici';

/** Pooled connections to one VASP. The module is heavy, so it is loaded with the first call. */
export interface HttpClient {
  /** Throws the errors of undici and the reason of the signal. */
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}
export interface HttpAnswer {
  status: number;
  body: string;
}

const CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 256 * 1024;

export function httpClient(): HttpClient {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  return {
    async post(url, headers, body, signal) {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
      return { status: answer.statusCode, body: await answer.body.text() };
    },
    close: () => dispatcher.close(),
  };
}
