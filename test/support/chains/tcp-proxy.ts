import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network that can fail, in front of a real server on this machine. */
export interface TcpProxy {
  /** The address of the server, through the proxy. */
  readonly url: string;
  /** New connections go to the server at another address. */
  retarget(url: string): void;
  /** `silent`: connections are taken and nothing ever comes through. `down`: they are cut at once. */
  become(state: 'up' | 'silent' | 'down'): void;
  /** Cuts every connection that there is. */
  cut(): void;
  close(): Promise<void>;
}

/** `url`: address of the server, of any scheme. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = new URL(url);
  let state: 'up' | 'silent' | 'down' = 'up';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer(near => {
    keep(near);
    if (state === 'down') return void near.destroy();
    if (state === 'silent') return void near.resume();
    const far = connect(Number(target.port), target.hostname);
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
    url: url.replace(target.host, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    retarget(next) {
      target = new URL(next);
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
