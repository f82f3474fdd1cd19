import { createServer } from 'node:https';
import { SELF_SIGNED } from './certificates.mjs';

/** A server that speaks TLS. Answers its port. */
export async function selfSignedServer(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(SELF_SIGNED, (_, response) => response.end('{}'));
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
