import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

type Message = Record<string, unknown>;

type Rule = (command: string, answer: Message, request: Message) => Message | null | Promise<Message | null>;

export interface XrplProxy {
  readonly url: string;
  /** Looks at every answer to a command, and may give another one, also later; null: none ever comes. */
  rule(rule: Rule | undefined): void;
  /** Looks at every command before the server does. It never arrives there: true: and is not answered; or with this answer. */
  lose(rule: ((command: string, request: Message) => boolean | Message) | undefined): void;
  /** Cuts every connection that there is. */
  cut(): void;
  connections(): number;
  close(): Promise<void>;
}

/** WebSocket in front of a real server: for what real servers do only on bad days. */
export async function startXrplProxy(target: string): Promise<XrplProxy> {
  let current: Rule | undefined;
  let isLost: ((command: string, request: Message) => boolean | Message) | undefined;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise(resolve => server.once('listening', resolve));
  server.on('connection', near => {
    const far = new WebSocket(target);
    const requests = new Map<unknown, Message>();
    const early: string[] = [];
    const send = (message: Message | null) => {
      if (message) near.send(JSON.stringify(message), () => {});
    };
    near.on('message', data => {
      const text = String(data);
      const request = JSON.parse(text) as Message;
      const lost = isLost?.(String(request.command), request);
      if (typeof lost === 'object') send({ id: request.id, type: 'response', status: 'success', result: lost });
      if (lost) return;
      requests.set(request.id, request);
      if (far.readyState === WebSocket.OPEN) far.send(text);
      else early.push(text);
    });
    far.on('open', () => {
      for (const text of early) far.send(text);
    });
    far.on('message', data => {
      const answer = JSON.parse(String(data)) as Message;
      const request = requests.get(answer.id);
      const given = request && current ? current(String(request.command), answer, request) : answer;
      if (given instanceof Promise) void given.then(send);
      else send(given);
    });
    near.on('error', () => {}).on('close', () => far.terminate());
    far.on('error', () => {}).on('close', () => near.terminate());
  });
  const cut = () => {
    for (const client of server.clients) client.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rule(rule) {
      current = rule;
    },
    lose(rule) {
      isLost = rule;
    },
    cut,
    connections: () => server.clients.size,
    async close() {
      cut();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
