import { connect } from 'node:net';

export interface RawAnswer {
  /** 0: the connection ended without an answer. */
  status: number;
  text: string;
}

/** Sends bytes that no HTTP client would send, and reads until the other side closes or `quietMs` without a byte. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { quietMs = 1_000, resetAfterMs }: { quietMs?: number; resetAfterMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise(resolve => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      if (resetAfterMs !== undefined) setTimeout(() => socket.resetAndDestroy(), resetAfterMs);
    });
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
  });
}

/** The head of a WebSocket handshake. */
export const handshake = (target: string, host: string, more: Record<string, string> = {}): string =>
  requestHead('GET', target, {
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...more,
  });

export const requestHead = (method: string, target: string, headers: Record<string, string>): string =>
  `${method} ${target} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** A WebSocket frame of fewer than 126 bytes, as a client sends it: with a mask, here of zeros. */
export const maskedFrame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
