interface Answer {
  status: number | string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the program answers
  body?: any;
  retryAfter?: number;
}
export function api(
  url: string,
  apiKey?: string,
): { send(method: string, path: string, body?: unknown, address?: string): Promise<Answer> };
export function sleep(ms: number): Promise<void>;
