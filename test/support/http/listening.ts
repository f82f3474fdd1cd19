import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listening {
  readonly port: number;
  /** `host:port` */
  readonly host: string;
  readonly url: string;
  connections(): number;
  /** Ends every connection that there is. */
  cut(): void;
  close(): Promise<void>;
}

/** A server, of any protocol, that listens on a free port of this machine. */
export async function listening(server: Server, address = '127.0.0.1'): Promise<Listening> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    host: `${address}:${port}`,
    url: `http://${address}:${port}`,
    connections: () => connections,
    cut,
    async close() {
      const closed = new Promise(resolve => server.close(resolve));
      cut();
      await closed;
    },
  };
}
