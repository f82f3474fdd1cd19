import { STATUS_CODES } from 'node:http';
import type { Answer } from './answer.ts';

/** The headers of an answer that ends its connection. */
export const lastHeaders = ({ text, headers }: Answer): Record<string, string> => ({
  'content-type': 'application/json; charset=UTF-8',
  'content-length': String(Buffer.byteLength(text)),
  connection: 'close',
  ...headers,
});

/** An answer for a socket on which Node serves no request. */
export function rawAnswer(answer: Answer): string {
  const lines = Object.entries(lastHeaders(answer)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${answer.text}`;
}
