import { connect, createServer } from 'node:net';
import { listening } from '../http/listening.ts';

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
  let target = new URL(url);
  let state: 'up' | 'silent' | 'down' = 'up';
  const server = createServer(near => {
    if (state === 'down') return void near.destroy();
    if (state === 'silent') return void near.resume();
    const far = connect(Number(target.port), target.hostname);
    near.on('data', data => state === 'up' && far.write(data));
    far.on('data', data => state === 'up' && near.write(data));
    near.on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  });
  const { host, cut, close } = await listening(server);
  return {
    url: url.replace(target.host, host),
    retarget(next) {
      target = new URL(next);
    },
    become(next) {
      state = next;
      if (next === 'down') cut();
    },
    cut,
    close,
  };
}
