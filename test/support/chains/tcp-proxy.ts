import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network that can fail, in front of a real server on this machine. */
export interface TcpProxy {
  readonly port: number;
  /** New connections go to another server. */
  retarget(port: number): void;
  /** `silent`: connections are taken and nothing ever comes through. `down`: they are cut at once. */
  become(state: 'up' | 'silent' | 'down'): void;
  /** Cuts every connection that there is. */
  cut(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = targetPort;
  let state: 'up' | 'silent' | 'down' = 'up';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer(near => {
    keep(near);
    if (state === 'down') return void near.destroy();
    if (state === 'silent') return void near.resume();
    const far = connect(target, '127.0.0.1');
    keep(far);
    near.on('data', data => state === 'up' && far.write(data));
    far.on('data', data => state === 'up' && near.write(data));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    retarget(port) {
      target = port;
    },
    become(next) {
      state = next;
      if (next === 'down') cut();
    },
    cut,
    async close() {
      cut();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
