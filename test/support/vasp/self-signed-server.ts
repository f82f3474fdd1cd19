import { createServer, type ServerOptions } from 'node:https';
import { SELF_SIGNED } from './certificates.mjs';

/** A server that speaks TLS. Returns its port. */
export async function selfSignedServer(options: ServerOptions = {}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ ...SELF_SIGNED, ...options }, (_, response) => response.end('{}'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** It ends the handshake with an alert. */
export const WANTS_CLIENT_CERTIFICATE: ServerOptions = {
  requestCert: true,
  rejectUnauthorized: true,
  maxVersion: 'TLSv1.2',
};
