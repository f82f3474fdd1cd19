import { constants } from 'node:crypto';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { DEFAULT_CIPHERS } from 'node:tls';
import { CallFailure, MAX_HANDSHAKE_BYTES } from './http-exchange.ts';

/**
 * A server chooses what a handshake costs this thread, and nobody else is served meanwhile. Each key exchange of a finite
 * field takes a fifth of a second or more.
 */
const CHEAP_HANDSHAKES = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** A connection whose server can send only so much before the handshake is made. OpenSSL sees nothing of more. */
class ShortHandshake extends Duplex {
  readonly #socket: Socket;
  #left = MAX_HANDSHAKE_BYTES;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#left -= chunk.length;
      if (this.#left < 0) this.destroy(new CallFailure('HANDSHAKE-TOO-LARGE'));
      else if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', error => this.destroy(error));
  }
  made(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }
  override _read(): void {
    this.#socket.resume();
  }
  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }
  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/** Its sockets have the events of Node's: `connect` before the handshake, `secureConnect` after it. */
export class TlsAgent extends Agent {
  constructor(options: AgentOptions) {
    super({ ...options, ...CHEAP_HANDSHAKES });
  }
  override createConnection(
    options: RequestOptions,
    ...more: [callback?: (error: Error | null, stream: Duplex) => void]
  ): Duplex | null | undefined {
    const socket = connect({ ...options, allowHalfOpen: true } as NetConnectOpts);
    const short = new ShortHandshake(socket);
    const made = super.createConnection({ ...options, socket: short } as RequestOptions, ...more);
    if (!made) return made;
    // A connection that its server ends is closed, after the last message of TLS.
    made.allowHalfOpen = false;
    socket.once('connect', () => made.emit('connect'));
    made.once('secureConnect', () => short.made());
    return made;
  }
}
